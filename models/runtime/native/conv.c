/* The image encoder: a picture to its cells. Included by kernels.c, whose linear maps it uses.

   A map is (side, side, channels). It is processed in bands of rows of similar size, each of which is
   expanded, convolved and projected while it is in the cache.

   A 3 × 3 convolution of stride 1 is computed in tiles of 4 × 4 (Winograd; Lavin and Gray 2016,
   F(4 × 4, 3 × 3)): 36 products per tile, input channel and output channel instead of 144. Its
   weights are transformed in 64 bits and stored in 32; the error of the cells is no larger than that
   of the direct convolution in 32 bits. */

#define TILE 4
#define PATCH 6 /* side of the input of a tile */
#define POINTS (PATCH * PATCH)
#define TILES 28 /* approximate number in a band: their products stay in the cache */
#define PIXELS 112 /* approximate number in a band of any other stage */
#define RED_GREEN_BLUE 3
#define BY_TILES 1 /* those of amx.c: a picture is encoded alone, so its cells depend on no batch */

typedef struct {
  Linear expand;            /* of a pixel, or of a flattened patch: rows, columns, channels */
  const float *tiles;       /* if in tiles: (panels, POINTS, read, PANEL); `expand`: its bias */
  const float *depthwise;      /* if the stage is depthwise: (kernel, kernel, wide) */
  const float *depthwise_bias;
  Linear project;
  int32_t read, wide, kernel, stride, residual;
} Stage;

typedef struct {
  Linear stem, first, last, middle, deep;
  const Stage *stages;
  Norm norm;
  int32_t count, widened, side, threads; /* widened: the stage whose expanded map is an output too */
} ImageEncoder;

typedef struct {
  const Stage *stage;
  const float *map, *widened; /* (side, side, read), and for depthwise stages its expansion */
  float *to;                  /* (left, left, narrow) */
  int side, left, band;       /* rows of the input, of the output, and of a band of the output */
} StageTask;

/* Zero padding before the first row and column, as TensorFlow's SAME. */
static int zeros_before(int side, int left, int kernel, int stride) {
  int zeros = (left - 1) * stride + kernel - side;
  return zeros > 0 ? zeros / 2 : 0;
}

/* The flattened input patches of a row of output pixels; zeros outside the map. */
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

/* Projects a band, and adds the input if the stage is residual. */
static void narrow(const StageTask *task, const float *wide, int y, int rows) {
  const Linear *project = &task->stage->project;
  const int n = rows * task->left, d = project->outputs;
  const long at = (long)y * task->left * d;
  linear(project, wide, task->stage->wide, task->to + at, d, n, PLAIN, BY_TILES);
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
    linear(&stage->expand, flat, inputs, wide, stage->wide, rows * left, RECTIFIED, BY_TILES);
    narrow(task, wide, y, rows);
  }
}

/* Depthwise convolution of the expanded map. */
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
        Vec total = load_some(stage->depthwise_bias + c, count);
        for (int i = 0; i < kernel; i++) {
          if (y + i < 0 || y + i >= side) continue;
          for (int j = 0; j < kernel; j++) {
            if (x + j < 0 || x + j >= side) continue;
            const float *pixel = task->widened + ((long)(y + i) * side + x + j) * d;
            const float *weight = stage->depthwise + ((long)i * kernel + j) * d;
            total += load_some(pixel + c, count) * load_some(weight + c, count);
          }
        }
        store_some(wide + (long)at * d + c, rectified(total), count);
      })
    }
    narrow(task, wide, top, rows);
  }
}

/* Transforms a row or a column of the input of a tile. */
INLINE void transform_input(const Vec d[PATCH], Vec to[PATCH]) {
  const Vec even = d[4] - 4.0f * d[2], odd = d[3] - 4.0f * d[1];
  const Vec near = d[4] - d[2], far = 2.0f * (d[3] - d[1]);
  to[0] = 4.0f * d[0] - 5.0f * d[2] + d[4];
  to[1] = even + odd;
  to[2] = even - odd;
  to[3] = near + far;
  to[4] = near - far;
  to[5] = 4.0f * d[1] - 5.0f * d[3] + d[5];
}

/* Transforms a row or a column of the products of a tile to outputs. */
INLINE void transform_output(const Vec m[PATCH], Vec to[TILE]) {
  const Vec sum = m[1] + m[2], difference = m[1] - m[2];
  const Vec sum_far = m[3] + m[4], difference_far = m[3] - m[4];
  to[0] = m[0] + sum + sum_far;
  to[1] = difference + 2.0f * difference_far;
  to[2] = sum + 4.0f * sum_far;
  to[3] = difference + 8.0f * difference_far + m[5];
}

/* The transformed input of a tile: a row for each of the POINTS, `apart` floats apart. */
static void transform_tile(const float *map, int side, int d, int y, int x, float *to, long apart) {
  static const float zeros[LANES] = {0};
  const float *from[POINTS];
  int step[POINTS];
  for (int i = 0; i < POINTS; i++) {
    const int row = y * TILE - 1 + i / PATCH, column = x * TILE - 1 + i % PATCH;
    step[i] = row >= 0 && row < side && column >= 0 && column < side;
    from[i] = step[i] ? map + ((long)row * side + column) * d : zeros;
  }
  for (int c = 0; c < d; c += LANES) {
    Vec half[PATCH][PATCH], column[PATCH], transformed[PATCH];
    for (int j = 0; j < PATCH; j++) {
      UNROLLED for (int i = 0; i < PATCH; i++)
          column[i] = load(from[i * PATCH + j] + (step[i * PATCH + j] ? c : 0));
      transform_input(column, transformed);
      UNROLLED for (int i = 0; i < PATCH; i++) half[i][j] = transformed[i];
    }
    for (int i = 0; i < PATCH; i++) {
      transform_input(half[i], transformed);
      UNROLLED for (int j = 0; j < PATCH; j++) store(to + (i * PATCH + j) * apart + c, transformed[j]);
    }
  }
}

/* Writes a tile of a panel of channels from products `apart`, to rows `stride` apart. */
static void write_tile(const float *products, long apart, const float *bias, float *to, int d,
                       long stride) {
  for (int c = 0; c < PANEL; c += LANES) {
    Vec half[TILE][PATCH], column[PATCH], transformed[TILE];
    for (int j = 0; j < PATCH; j++) {
      UNROLLED for (int i = 0; i < PATCH; i++)
          column[i] = load(products + (i * PATCH + j) * apart + c);
      transform_output(column, transformed);
      UNROLLED for (int i = 0; i < TILE; i++) half[i][j] = transformed[i];
    }
    for (int i = 0; i < TILE; i++) {
      transform_output(half[i], transformed);
      UNROLLED for (int j = 0; j < TILE; j++)
          store(to + i * stride + (long)j * d + c, rectified(transformed[j] + load(bias + c)));
    }
  }
}

static void by_tiles(const void *given, int from, int to) {
  const StageTask *task = given;
  const Stage *stage = task->stage;
  const int side = task->side, across = side / TILE, read = stage->read, d = stage->wide;
  const int most = task->band / TILE * across;
  reserve((size_t)most * (POINTS * (read + PANEL) + TILE * TILE * d), 3);
  float *transformed = take((size_t)POINTS * most * read);
  float *products = take((size_t)POINTS * most * PANEL);
  float *wide = take((size_t)most * TILE * TILE * d);
  for (int band = from; band < to; band++) {
    const int y = band * task->band, rows = rows_of(task, band), tiles = rows / TILE * across;
    const long apart = (long)tiles * read;
    for (int tile = 0; tile < tiles; tile++)
      transform_tile(task->map, side, read, y / TILE + tile / across, tile % across,
                 transformed + (long)tile * read, apart);
    for (int p = 0; p < d; p += PANEL) {
      for (int point = 0; point < POINTS; point++) {
        const float *weights = stage->tiles + ((size_t)p * POINTS + (size_t)point * PANEL) * read;
        const Linear map = {(const Half *)weights, 0, read, PANEL};
        linear_of(1, &map, transformed + point * apart, read,
                  products + (long)point * tiles * PANEL, PANEL, tiles, PLAIN);
      }
      for (int tile = 0; tile < tiles; tile++)
        write_tile(products + (long)tile * PANEL, (long)tiles * PANEL, stage->expand.bias + p,
                   wide + ((long)tile / across * TILE * side + tile % across * TILE) * d + p, d,
                   (long)side * d);
    }
    narrow(task, wide, y, rows);
  }
}

/* Runs a stage on `map` (side, side, read), returns the side of `to`; `wide` holds the expansion. */
static int run_stage(const Stage *stage, const float *map, int side, float *wide, float *to,
                      int threads) {
  const int left = (side + stage->stride - 1) / stage->stride;
  StageTask task = {stage, map, wide, to, side, left, 0};
  Work work = by_patches;
  task.band = PIXELS / left;
  if (stage->depthwise) {
    heed_linear(&stage->expand, map, wide, side * side, RECTIFIED, threads, BY_TILES);
    work = by_channels;
  } else if (stage->tiles) {
    task.band = (TILES * TILE / side > 0 ? TILES * TILE / side : 1) * TILE;
    work = by_tiles;
  }
  if (task.band < 1) task.band = 1;
  run_parallel(work, &task, (left + task.band - 1) / task.band, 1, threads);
  return left;
}

/* Upsamples a map (side, side, d) by two, bilinearly between centres, and adds it to another. */
static void add_upsampled(const float *map, int side, int d, float *to) {
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

/* Sizes of the buffers between the stages: of input and output, and of the expanded maps. */
static void buffer_sizes(const ImageEncoder *encoder, size_t *narrow, size_t *wide) {
  int side = encoder->side;
  *narrow = (size_t)side * side * RED_GREEN_BLUE, *wide = 0;
  side = (side + 1) / 2;
  for (int place = 0; place < encoder->count; place++) {
    const Stage *stage = encoder->stages + place;
    const size_t input = (size_t)side * side * stage->read;
    if (input > *narrow) *narrow = input;
    const size_t widened = (size_t)side * side * stage->wide;
    if (stage->depthwise && widened > *wide) *wide = widened;
    side = (side + stage->stride - 1) / stage->stride;
  }
}

/* Encodes a picture (side, side, 3) in RGB to cells (K, D), each of mean 0 and variance 1. */
void heed_encode_image(const ImageEncoder *encoder, const uint8_t *pixels, float *cells) {
  const int d = encoder->middle.outputs, threads = encoder->threads;
  int side = encoder->side, grid = 0;
  size_t narrow, wide;
  buffer_sizes(encoder, &narrow, &wide);
  const Stage stem = {encoder->stem,  0, 0, 0, encoder->first,
                      RED_GREEN_BLUE, encoder->stem.outputs, 3, 2, 0};
  float *room = aligned_alloc(64, ((2 * narrow + 2 * wide) * 4 + 63) & ~(size_t)63);
  if (!room) abort();
  float *map = room, *to = map + narrow, *widened = to + narrow, *kept = widened + wide;
  for (long i = 0; i < (long)side * side * RED_GREEN_BLUE; i++) map[i] = pixels[i] / 127.5f - 1.0f;
  for (int place = -1; place < encoder->count; place++) {
    const Stage *stage = place < 0 ? &stem : encoder->stages + place;
    if (place == encoder->widened) grid = side;
    side = run_stage(stage, map, side, place == encoder->widened ? kept : widened, to, threads);
    float *old = map;
    map = to, to = old;
  }
  heed_linear(&encoder->middle, kept, cells, grid * grid, PLAIN, threads, BY_TILES);
  heed_linear(&encoder->last, map, widened, side * side, RECTIFIED, threads, BY_TILES);
  heed_linear(&encoder->deep, widened, to, side * side, PLAIN, threads, BY_TILES);
  add_upsampled(to, side, d, cells);
  layer_norm(&encoder->norm, cells, cells, grid * grid, d);
  free(room);
}
