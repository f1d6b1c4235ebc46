/* The eyes of captioners: a picture to its cells. A part of kernels.c, on whose maps it is built.

   A map is (side, side, channels). Steps of like size go through it in bands of rows, each of which
   is widened, looked around in and narrowed again while it is in the cache.

   A convolution of 3 × 3 at stride 1 is made by tiles of 4 × 4 (Winograd; Lavin and Gray 2016, their
   F(4 × 4, 3 × 3)): 36 products for each tile, channel in and channel out, where 144 are written in
   its definition. Its weights are made ready in 64 bits and kept in 32; the cells differ from those
   of the definition no more than the definition in 32 bits differs from itself in 64. */

#define TILE 4
#define SEEN 6 /* on a side of what a tile is made from */
#define POINTS (SEEN * SEEN)
#define TILES 28 /* about so many in a band: their products stay in the cache */
#define PIXELS 112 /* about so many in a band of any other step */
#define RED_GREEN_BLUE 3

typedef struct {
  Linear expand;            /* of one pixel, or of a patch laid flat: rows, columns, channels */
  const float *tiles;       /* if by tiles: (panels, POINTS, read, PANEL); `expand` is its bias alone */
  const float *around;      /* if each channel then looks around by itself: (kernel, kernel, wide) */
  const float *around_bias;
  Linear project;
  int32_t read, wide, kernel, stride, residual;
} Stage;

typedef struct {
  Linear stem, first, last, middle, deep;
  const Stage *stages;
  Norm norm;
  int32_t count, widened, side, threads; /* widened: the stage whose middle is a map that is kept */
} Eyes;

typedef struct {
  const Stage *stage;
  const float *map, *widened; /* (side, side, read), and the same widened, if it is by now */
  float *to;                  /* (left, left, narrow) */
  int side, left, band;       /* rows of a map, of what is made of it, and of a band of that */
} StageTask;

/* Zeros before the first row and column, as TensorFlow's SAME has them. */
static int zeros_before(int side, int left, int kernel, int stride) {
  int zeros = (left - 1) * stride + kernel - side;
  return zeros > 0 ? zeros / 2 : 0;
}

/* What each pixel of a row is made from, laid flat; beyond the map there is nothing. */
static void patches(const float *map, int side, int channels, int kernel, int stride, int left,
                    int y, float *to) {
  const int before = zeros_before(side, left, kernel, stride), wide = kernel * channels;
  for (int x = 0; x < left; x++)
    for (int i = 0; i < kernel; i++, to += wide) {
      const int row = y * stride - before + i, column = x * stride - before;
      const int from = column < 0 ? -column : 0;
      const int to_column = column + kernel > side ? side - column : kernel;
      memset(to, 0, (size_t)wide * 4);
      if (row >= 0 && row < side)
        memcpy(to + from * channels, map + ((long)row * side + column + from) * channels,
               (size_t)(to_column - from) * channels * 4);
    }
}

/* Narrowed, and what came in added if the stage says so. */
static void narrow(const StageTask *task, const float *wide, int y, int rows) {
  const Linear *project = &task->stage->project;
  const int n = rows * task->left, d = project->outputs;
  const long at = (long)y * task->left * d;
  linear(project, wide, task->stage->wide, task->to + at, d, n, PLAIN);
  if (task->stage->residual) added(task->to + at, task->map + at, (long)n * d);
}

static int rows_of(const StageTask *task, int band) {
  const int rows = task->left - band * task->band;
  return rows < task->band ? rows : task->band;
}

static void by_patches(const void *given, int from, int to) {
  const StageTask *task = given;
  const Stage *stage = task->stage;
  const int inputs = stage->expand.inputs, left = task->left;
  reserve((size_t)task->band * left * (inputs + stage->wide), 2);
  float *flat = take((size_t)task->band * left * inputs);
  float *wide = take((size_t)task->band * left * stage->wide);
  for (int band = from; band < to; band++) {
    const int y = band * task->band, rows = rows_of(task, band);
    for (int row = 0; row < rows; row++)
      patches(task->map, task->side, stage->read, stage->kernel, stage->stride, left, y + row,
              flat + (long)row * left * inputs);
    linear(&stage->expand, flat, inputs, wide, stage->wide, rows * left, RECTIFIED);
    narrow(task, wide, y, rows);
  }
}

/* Each channel looks around by itself in what was widened before. */
static void by_channels(const void *given, int from, int to) {
  const StageTask *task = given;
  const Stage *stage = task->stage;
  const int d = stage->wide, kernel = stage->kernel, side = task->side, left = task->left;
  const int before = zeros_before(side, left, kernel, stage->stride);
  reserve((size_t)task->band * left * d, 1);
  float *wide = take((size_t)task->band * left * d);
  for (int band = from; band < to; band++) {
    const int top = band * task->band, rows = rows_of(task, band);
    for (int at = 0; at < rows * left; at++) {
      const int y = (top + at / left) * stage->stride - before;
      const int x = at % left * stage->stride - before;
      EVERY(c, d, {
        Vec total = load_some(stage->around_bias + c, count);
        for (int i = 0; i < kernel; i++) {
          if (y + i < 0 || y + i >= side) continue;
          for (int j = 0; j < kernel; j++) {
            if (x + j < 0 || x + j >= side) continue;
            const float *pixel = task->widened + ((long)(y + i) * side + x + j) * d;
            const float *weight = stage->around + ((long)i * kernel + j) * d;
            total += load_some(pixel + c, count) * load_some(weight + c, count);
          }
        }
        store_some(wide + (long)at * d + c, rectified(total), count);
      })
    }
    narrow(task, wide, top, rows);
  }
}

/* A row or a column of what a tile is made from, made ready. */
INLINE void ready(const Vec d[SEEN], Vec to[SEEN]) {
  const Vec even = d[4] - 4.0f * d[2], odd = d[3] - 4.0f * d[1];
  const Vec near = d[4] - d[2], far = 2.0f * (d[3] - d[1]);
  to[0] = 4.0f * d[0] - 5.0f * d[2] + d[4];
  to[1] = even + odd;
  to[2] = even - odd;
  to[3] = near + far;
  to[4] = near - far;
  to[5] = 4.0f * d[1] - 5.0f * d[3] + d[5];
}

/* A row or a column of a tile, of its products. */
INLINE void finish_tile(const Vec m[SEEN], Vec to[TILE]) {
  const Vec sum = m[1] + m[2], difference = m[1] - m[2];
  const Vec sum_far = m[3] + m[4], difference_far = m[3] - m[4];
  to[0] = m[0] + sum + sum_far;
  to[1] = difference + 2.0f * difference_far;
  to[2] = sum + 4.0f * sum_far;
  to[3] = difference + 8.0f * difference_far + m[5];
}

/* What a tile is made from, made ready: of each of the POINTS a row, `apart` floats apart. */
static void ready_tile(const float *map, int side, int d, int y, int x, float *to, long apart) {
  static const float nothing[LANES] = {0};
  const float *from[POINTS];
  int step[POINTS];
  for (int i = 0; i < POINTS; i++) {
    const int row = y * TILE - 1 + i / SEEN, column = x * TILE - 1 + i % SEEN;
    step[i] = row >= 0 && row < side && column >= 0 && column < side;
    from[i] = step[i] ? map + ((long)row * side + column) * d : nothing;
  }
  for (int c = 0; c < d; c += LANES) {
    Vec half[SEEN][SEEN], column[SEEN], made[SEEN];
    for (int j = 0; j < SEEN; j++) {
      UNROLLED for (int i = 0; i < SEEN; i++)
          column[i] = load(from[i * SEEN + j] + (step[i * SEEN + j] ? c : 0));
      ready(column, made);
      UNROLLED for (int i = 0; i < SEEN; i++) half[i][j] = made[i];
    }
    for (int i = 0; i < SEEN; i++) {
      ready(half[i], made);
      UNROLLED for (int j = 0; j < SEEN; j++) store(to + (i * SEEN + j) * apart + c, made[j]);
    }
  }
}

/* A tile of a panel of channels, of its products, which lie `apart`; to rows `stride` apart. */
static void write_tile(const float *products, long apart, const float *bias, float *to, int d,
                       long stride) {
  for (int c = 0; c < PANEL; c += LANES) {
    Vec half[TILE][SEEN], column[SEEN], made[TILE];
    for (int j = 0; j < SEEN; j++) {
      UNROLLED for (int i = 0; i < SEEN; i++)
          column[i] = load(products + (i * SEEN + j) * apart + c);
      finish_tile(column, made);
      UNROLLED for (int i = 0; i < TILE; i++) half[i][j] = made[i];
    }
    for (int i = 0; i < TILE; i++) {
      finish_tile(half[i], made);
      UNROLLED for (int j = 0; j < TILE; j++)
          store(to + i * stride + (long)j * d + c, rectified(made[j] + load(bias + c)));
    }
  }
}

static void by_tiles(const void *given, int from, int to) {
  const StageTask *task = given;
  const Stage *stage = task->stage;
  const int side = task->side, across = side / TILE, read = stage->read, d = stage->wide;
  const int most = task->band / TILE * across;
  reserve((size_t)most * (POINTS * (read + PANEL) + TILE * TILE * d), 3);
  float *made = take((size_t)POINTS * most * read), *products = take((size_t)POINTS * most * PANEL);
  float *wide = take((size_t)most * TILE * TILE * d);
  for (int band = from; band < to; band++) {
    const int y = band * task->band, rows = rows_of(task, band), tiles = rows / TILE * across;
    const long apart = (long)tiles * read;
    for (int tile = 0; tile < tiles; tile++)
      ready_tile(task->map, side, read, y / TILE + tile / across, tile % across,
                 made + (long)tile * read, apart);
    for (int p = 0; p < d; p += PANEL) {
      for (int point = 0; point < POINTS; point++) {
        const float *weights = stage->tiles + ((size_t)p * POINTS + (size_t)point * PANEL) * read;
        const Linear map = {(const Half *)weights, 0, read, PANEL};
        linear_of(1, &map, made + point * apart, read, products + (long)point * tiles * PANEL, PANEL,
                  tiles, PLAIN);
      }
      for (int tile = 0; tile < tiles; tile++)
        write_tile(products + (long)tile * PANEL, (long)tiles * PANEL, stage->expand.bias + p,
                   wide + ((long)tile / across * TILE * side + tile % across * TILE) * d + p, d,
                   (long)side * d);
    }
    narrow(task, wide, y, rows);
  }
}

/* One stage: `map` (side, side, read) to `to`; the side of that. `wide` has room for the widened. */
static int go_through(const Stage *stage, const float *map, int side, float *wide, float *to,
                      int threads) {
  const int left = (side + stage->stride - 1) / stage->stride;
  StageTask task = {stage, map, wide, to, side, left, 0};
  Work work = by_patches;
  task.band = PIXELS / left;
  if (stage->around) {
    heed_linear(&stage->expand, map, wide, side * side, RECTIFIED, threads);
    work = by_channels;
  } else if (stage->tiles) {
    task.band = (TILES * TILE / side > 0 ? TILES * TILE / side : 1) * TILE;
    work = by_tiles;
  }
  if (task.band < 1) task.band = 1;
  together(work, &task, (left + task.band - 1) / task.band, 1, threads);
  return left;
}

/* A map (side, side, d) twice as fine, between the middles of its cells, added to another. */
static void add_finer(const float *map, int side, int d, float *to) {
  const int fine = 2 * side;
  for (int cell = 0; cell < fine * fine; cell++, to += d) {
    const int y = cell / fine, x = cell % fine;
    const int above = y > 0 ? (y - 1) / 2 : 0, before = x > 0 ? (x - 1) / 2 : 0;
    const int below = above + 1 < side ? above + 1 : above;
    const int after = before + 1 < side ? before + 1 : before;
    const float down = y == 0 ? 0 : y % 2 ? 0.25f : 0.75f, right = x == 0 ? 0 : x % 2 ? 0.25f : 0.75f;
    const float *corners[] = {
        map + ((long)above * side + before) * d, map + ((long)above * side + after) * d,
        map + ((long)below * side + before) * d, map + ((long)below * side + after) * d};
    for (int i = 0; i < d; i++)
      to[i] += (1 - down) * ((1 - right) * corners[0][i] + right * corners[1][i]) +
               down * ((1 - right) * corners[2][i] + right * corners[3][i]);
  }
}

/* Room for the maps between the stages: two that take turns, and one that is widened. */
static void rooms(const Eyes *eyes, size_t *narrow, size_t *wide) {
  int side = eyes->side;
  *narrow = (size_t)side * side * RED_GREEN_BLUE, *wide = 0;
  side = (side + 1) / 2;
  for (int place = 0; place < eyes->count; place++) {
    const Stage *stage = eyes->stages + place;
    const size_t came = (size_t)side * side * stage->read;
    if (came > *narrow) *narrow = came;
    const size_t widened = (size_t)side * side * stage->wide;
    if (stage->around && widened > *wide) *wide = widened;
    side = (side + stage->stride - 1) / stage->stride;
  }
}

/* A picture (side, side, 3), red, green and blue, to its cells (K, D) of mean 0 and variance 1. */
void heed_look(const Eyes *eyes, const uint8_t *pixels, float *cells) {
  const int d = eyes->middle.outputs, threads = eyes->threads;
  int side = eyes->side, grid = 0;
  size_t narrow, wide;
  rooms(eyes, &narrow, &wide);
  const Stage stem = {eyes->stem, 0, 0, 0, eyes->first, RED_GREEN_BLUE, eyes->stem.outputs, 3, 2, 0};
  float *room = aligned_alloc(64, ((2 * narrow + 2 * wide) * 4 + 63) & ~(size_t)63);
  if (!room) abort();
  float *map = room, *to = map + narrow, *widened = to + narrow, *kept = widened + wide;
  for (long i = 0; i < (long)side * side * RED_GREEN_BLUE; i++) map[i] = pixels[i] / 127.5f - 1.0f;
  for (int place = -1; place < eyes->count; place++) {
    const Stage *stage = place < 0 ? &stem : eyes->stages + place;
    if (place == eyes->widened) grid = side;
    side = go_through(stage, map, side, place == eyes->widened ? kept : widened, to, threads);
    float *old = map;
    map = to, to = old;
  }
  heed_linear(&eyes->middle, kept, cells, grid * grid, PLAIN, threads);
  heed_linear(&eyes->last, map, widened, side * side, RECTIFIED, threads);
  heed_linear(&eyes->deep, widened, to, side * side, PLAIN, threads);
  add_finer(to, side, d, cells);
  normed(&eyes->norm, cells, cells, grid * grid, d);
  free(room);
}
