/* A linear map of many rows on a processor that multiplies tiles (Intel's AMX).

   Tiles hold bfloat16, the upper 16 bits of a float, so both operands are split into parts that add
   up to them exactly: an input into three, a 16-bit weight into two. Of the six products the one
   that is left out is below the rounding error of a float. Sums are in 32 bits and more exact than
   those without tiles, but in another order.

   A tile of weights is DEEP inputs by 16 outputs, with pairs of inputs interleaved. Weights are
   split while the previous ones are multiplied. */

#define TILE_BYTES 1024
#define TALL 16                 /* rows of a tile */
#define DEEP 32                 /* inputs */
#define INPUT_BYTES (3 * TILE_BYTES)  /* DEEP inputs of TALL rows */
#define AT_ONCE (12 * TALL)     /* rows for which a panel is split once */
#define PAGE 4096
/* DEEP inputs of a panel: the upper parts of their weights, the lower parts, and half a page, so
   that writes and simultaneous reads have different page offsets (4K aliasing stalls). */
#define SPLIT_BYTES (10 * TILE_BYTES)

#if defined(__clang__)
#define ALL_UNROLLED UNROLLED
#else
#define ALL_UNROLLED _Pragma("GCC unroll 16")
#endif

/* A barrier: the compiler does not know which memory the tile instructions read. */
#define WRITTEN(FROM) __asm__ volatile("" : : "r"(FROM) : "memory")

/* Tiles 0 to 3 hold sums, 4 to 6 inputs, and 7 weights. */
static void set_tiles(int tall) {
  struct {
    uint8_t palette, start, unused[14];
    uint16_t bytes[16];
    uint8_t rows[16];
  } set = {.palette = 1};
  for (int tile = 0; tile < 8; tile++)
    set.bytes[tile] = 64, set.rows[tile] = tile < 7 ? tall : TALL;
  WRITTEN(&set);
  _tile_loadconfig(&set);
}

/* The upper 16 bits of each number, and the remainder. */
INLINE __m512 upper(__m512 v) {
  return (__m512)_mm512_and_si512((__m512i)v, _mm512_set1_epi32((int)0xffff0000));
}

INLINE __m512 rest(__m512 v) { return _mm512_sub_ps(v, upper(v)); }

/* The upper parts of two vectors, interleaved. */
INLINE __m512i interleaved(__m512 first, __m512 second) {
  return _mm512_or_si512(_mm512_srli_epi32((__m512i)first, 16), (__m512i)upper(second));
}

INLINE __m256i narrowed(__m512 v) {
  return _mm512_cvtepi32_epi16(_mm512_srli_epi32((__m512i)v, 16));
}

/* Splits a tile of weights: upper parts, and lower parts after the upper ones of all columns. */
INLINE void split_tile(const Half *packed, int column, char *to) {
  const char *ahead = (const char *)packed + AHEAD + column * TILE_BYTES;
  packed += column * LANES, to += column * TILE_BYTES;
  ALL_UNROLLED for (int pair = 0; pair < DEEP / 2; pair++, packed += 2 * PANEL, to += 64) {
    const __m512 first = (__m512)widen(packed), second = (__m512)widen(packed + PANEL);
    _mm512_store_si512((__m512i *)to, interleaved(first, second));
    _mm512_store_si512((__m512i *)(to + 4 * TILE_BYTES), interleaved(rest(first), rest(second)));
    __builtin_prefetch(ahead + pair * 64);
  }
}

static void split_first(const Half *packed, char *to) {
  for (int column = 0; column < VECTORS; column++) split_tile(packed, column, to);
}

/* Splits up to TALL rows of inputs: three parts of each DEEP inputs. */
static void split_inputs(const float *x, long stride, int rows, int inputs, char *to) {
  for (int i = 0; i < inputs; i += DEEP, to += INPUT_BYTES)
    for (int row = 0; row < rows; row++) {
      __m512 a = (__m512)load(x + row * stride + i), b = (__m512)load(x + row * stride + i + LANES);
      for (int part = 0; part < 3; part++, a = rest(a), b = rest(b)) {
        char *line = to + part * TILE_BYTES + row * 64;
        _mm256_store_si256((__m256i *)line, narrowed(a));
        _mm256_store_si256((__m256i *)(line + 32), narrowed(b));
      }
    }
}

#define EACH_COLUMN(GO) GO(0) GO(1) GO(2) GO(3)
#define MULTIPLY(C)                                                                                \
  _tile_loadd(7, weights + C * TILE_BYTES, 64);                                                    \
  _tile_dpbf16ps(C, 4, 7);                                                                         \
  _tile_dpbf16ps(C, 5, 7);                                                                         \
  _tile_dpbf16ps(C, 6, 7);                                                                         \
  _tile_loadd(7, weights + (4 + C) * TILE_BYTES, 64);                                              \
  _tile_dpbf16ps(C, 4, 7);                                                                         \
  _tile_dpbf16ps(C, 5, 7);

INLINE void load_inputs(const char *inputs_at, const char *weights) {
  WRITTEN(inputs_at);
  WRITTEN(weights);
  _tile_loadd(4, inputs_at, 64);
  _tile_loadd(5, inputs_at + TILE_BYTES, 64);
  _tile_loadd(6, inputs_at + 2 * TILE_BYTES, 64);
}

static void multiply(const char *inputs_at, const char *weights) {
  load_inputs(inputs_at, weights);
  EACH_COLUMN(MULTIPLY)
}

/* The same, and splits the next weights between the products. */
static void multiply_and_split(const char *inputs_at, const char *weights, const Half *packed,
                              char *to) {
#define SPLIT_AND_MULTIPLY(C)                                                                       \
  split_tile(packed, C, to);                                                                        \
  MULTIPLY(C)
  load_inputs(inputs_at, weights);
  EACH_COLUMN(SPLIT_AND_MULTIPLY)
}

/* Sums start at the bias; they are stored in y, by way of a buffer if a tile would not fit in y. */
static void begin_sums(const float *bias) {
#define BEGIN(C) _tile_loadd(C, bias + C * LANES, 0);
#define CLEAR(C) _tile_zero(C);
  if (bias) {
    EACH_COLUMN(BEGIN)
  } else {
    EACH_COLUMN(CLEAR)
  }
}

static void end_sums(float *y, long wide, int whole, int rows, int left) {
#define STORE(C) _tile_stored(C, to + C * LANES, along * 4);
  float buffer[TALL * PANEL] __attribute__((aligned(64)));
  float *to = whole ? y : buffer;
  const long along = whole ? wide : PANEL;
  EACH_COLUMN(STORE)
  if (!whole)
    for (int row = 0; row < rows; row++)
      memcpy(y + row * wide, buffer + row * PANEL, (size_t)left * 4);
}

static _Thread_local Arena split_arena; /* separate: callers hold memory of the other arena */

/* Up to AT_ONCE rows of y (n, outputs) = x (n, inputs) W + b, by tiles of `tall` rows. The weights
   of a panel are split during its first block of rows, the first ones of the next panel during the
   last block; so a ring buffer holds the split weights of a panel and one more. */
static void linear_rows_by_tiles(const Linear *map, const float *x, long stride, float *y, long wide,
                          int n, int tall) {
  const int inputs = map->inputs, outputs = map->outputs, deep = inputs / DEEP;
  const int blocks = (n + TALL - 1) / TALL, ring = blocks > 1 ? deep + 1 : 2;
  const Half *packed = map->weights;
  make_room(&split_arena, (size_t)ring * SPLIT_BYTES + (size_t)blocks * deep * INPUT_BYTES + PAGE);
  char *weights = split_arena.start + ((uintptr_t)packed - (uintptr_t)split_arena.start) % PAGE;
  char *inputs_at = weights + (size_t)ring * SPLIT_BYTES;
  for (int block = 0; block < blocks; block++) {
    const int row = block * TALL, rows = n - row < TALL ? n - row : TALL;
    split_inputs(x + row * stride, stride, rows, inputs,
                 inputs_at + (size_t)block * deep * INPUT_BYTES);
  }
  split_first(packed, weights);
  for (int p = 0, first = 0; p < outputs; p += PANEL, first = (first + deep) % ring) {
    const float *bias = map->bias ? map->bias + p : 0;
    const int left = outputs - p < PANEL ? outputs - p : PANEL;
    for (int block = 0; block < blocks; block++) {
      const int row = block * TALL, rows = n - row < tall ? n - row : tall;
      begin_sums(bias);
      for (int i = 0, slot = first; i < deep; i++) {
        const char *these = weights + (size_t)slot * SPLIT_BYTES;
        const char *from = inputs_at + ((size_t)block * deep + i) * INPUT_BYTES;
        slot = slot + 1 < ring ? slot + 1 : 0;
        const int last = i + 1 == deep;
        if (last ? block + 1 == blocks && p + PANEL < outputs : block == 0) {
          packed += DEEP * PANEL;
          multiply_and_split(from, these, packed, weights + (size_t)slot * SPLIT_BYTES);
        } else {
          multiply(from, these);
        }
      }
      end_sums(y + row * wide + p, wide, rows == tall && left == PANEL, rows, left);
    }
  }
}

/* True if tiles are faster: full ones, and more rows than a block without tiles. */
static int tiles_fit(const Linear *map, int n) { return n > ROWS && map->inputs % DEEP == 0; }

static void linear_by_tiles(const Linear *map, const float *x, long stride, float *y, long wide,
                            int n, int finish) {
  const int tall = n < TALL ? n : TALL;
  set_tiles(tall);
  for (int row = 0; row < n; row += AT_ONCE)
    linear_rows_by_tiles(map, x + row * stride, stride, y + row * wide, wide,
                  n - row < AT_ONCE ? n - row : AT_ONCE, tall);
  _tile_release();
  if (finish != PLAIN) activate(finish, y, wide, n, map->outputs);
}
