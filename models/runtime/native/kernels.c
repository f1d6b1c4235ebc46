/* Encoders of texts, and the decoding step of translators and captioners, on 16-bit weights.

   One token uses each weight once, so memory bandwidth is the limit. The weights stay the 16-bit
   floats that are shipped and are widened in a register: half the bytes of a 32-bit copy, and the
   same numbers. All arithmetic is in 32 bits. The order of a sum does not depend on the number of
   rows, so that a result is bit by bit the same alone and in any batch; but where `by_tiles` allows
   the tiles of amx.c, which are used for many rows alone.

   Matrices are packed in panels of 64 outputs: for each input its 64 weights, contiguous
   (models/runtime/native/kernels.py packs them). Letters: n rows, k keys, d width. */

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#if defined(__AVX512F__)
#include <immintrin.h>
#define LANES 16
#define WIDE 4 /* vectors of a block of 5 or 6 rows: they fill the registers */
#define WIDER 4 /* and of a block of 4 rows */
#elif defined(__AVX2__) && defined(__F16C__)
#include <immintrin.h>
#define LANES 8
#define WIDE 2
#define WIDER 3
#elif defined(__aarch64__)
#include <arm_neon.h>
#define LANES 4
#define WIDE 4
#define WIDER 4
#else
#error "no fast way to widen 16-bit floats"
#endif

#if defined(__AMX_BF16__) || defined(__AMXBF16__) /* the macros of GCC and clang */
#define HAS_TILES
#endif

#define PANEL 64
#define VECTORS (PANEL / LANES)
#define ROWS 6 /* of a block */
#define WIDEST 4 /* vectors of a block of two or three */
#define RANKED 6
#define NEVER_WRITTEN 2 /* tokens: padding and start */
#define AHEAD 4096 /* bytes: the distance at which weights are prefetched */

typedef uint16_t Half;
typedef float Vec __attribute__((vector_size(LANES * 4)));
typedef int32_t IVec __attribute__((vector_size(LANES * 4)));

#define INLINE static inline __attribute__((always_inline))
#if defined(__clang__)
#define UNROLLED _Pragma("clang loop unroll(full)")
#else
#define UNROLLED _Pragma("GCC unroll 8")
#endif

typedef struct {
  const Half *weights; /* packed */
  const float *bias;   /* padded to whole panels; null without a bias */
  int32_t inputs, outputs;
} Linear;

/* --- vectors ---------------------------------------------------------------------------------- */

INLINE Vec load(const float *from) {
  Vec v;
  memcpy(&v, from, sizeof v);
  return v;
}

INLINE void store(float *to, Vec v) { memcpy(to, &v, sizeof v); }

INLINE Vec all(float value) { return value - (Vec){0}; } /* not +: -0 + 0 is 0 */

INLINE Vec load_some(const float *from, int count) {
  Vec v = {0};
  memcpy(&v, from, (size_t)count * 4);
  return v;
}

INLINE void store_some(float *to, Vec v, int count) { memcpy(to, &v, (size_t)count * 4); }

/* Repeats a block for vectors of `count` numbers from `i` on, until `total`. */
#define EVERY(i, total, ...)                                                                       \
  {                                                                                               \
    int i = 0;                                                                                    \
    for (; i + LANES <= (total); i += LANES) {                                                    \
      const int count = LANES;                                                                    \
      __VA_ARGS__                                                                                 \
    }                                                                                             \
    if (i < (total)) {                                                                            \
      const int count = (total) - i;                                                              \
      __VA_ARGS__                                                                                 \
    }                                                                                             \
  }

INLINE Vec widen(const Half *from) {
#if defined(__AVX512F__)
  return (Vec)_mm512_cvtph_ps(_mm256_loadu_si256((const __m256i *)from));
#elif defined(__aarch64__)
  return (Vec)vcvt_f32_f16(vreinterpret_f16_u16(vld1_u16(from)));
#else
  return (Vec)_mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)from));
#endif
}

INLINE Vec choose(IVec where, Vec yes, Vec no) {
  return (Vec)(((IVec)yes & where) | ((IVec)no & ~where));
}

INLINE Vec rectified(Vec v) { return choose(v < 0.0f, all(0), v); }

INLINE int any(IVec where) {
#if defined(__AVX512F__)
  return _mm512_test_epi32_mask((__m512i)where, (__m512i)where) != 0;
#else
  int64_t part[LANES / 2], found = 0;
  memcpy(part, &where, sizeof where);
  for (int i = 0; i < LANES / 2; i++) found |= part[i];
  return found != 0;
#endif
}

INLINE float sum(Vec v) {
#if defined(__AVX512F__)
  return _mm512_reduce_add_ps((__m512)v);
#else
  float part[LANES];
  memcpy(part, &v, sizeof v);
  for (int half = LANES / 2; half; half /= 2)
    for (int i = 0; i < half; i++) part[i] += part[i + half];
  return part[0];
#endif
}

/* exp(v), with a relative error of 2e-7; NaN stays NaN. */
INLINE Vec exponential(Vec v) {
  v = choose(v < -87.0f, all(-87.0f), v);
  v = choose(v > 88.0f, all(88.0f), v);
  const Vec shift = all(12582912.0f); /* 1.5 * 2^23: adding it rounds to a whole number */
  Vec whole = v * 1.44269504088896341f + shift;
  IVec power = (IVec)whole << 23;
  whole -= shift;
  Vec rest = (v - whole * 0.693359375f) + whole * 2.12194440e-4f;
  Vec p = rest * 1.9875691500e-4f + 1.3981999507e-3f;
  p = p * rest + 8.3334519073e-3f;
  p = p * rest + 4.1665795894e-2f;
  p = p * rest + 1.6666665459e-1f;
  p = p * rest + 5.0000001201e-1f;
  p = p * rest * rest + rest + 1.0f;
  return (Vec)((IVec)p + power);
}

INLINE Vec sigmoid(Vec v) { return 1.0f / (1.0f + exponential(-v)); }

INLINE Vec hyperbolic(Vec v) { return 1.0f - 2.0f / (exponential(v + v) + 1.0f); }

/* Widens a row of an embedding table. */
static void embed(const Half *row, int d, float *to) {
  EVERY(i, d, {
    Half halves[LANES] = {0};
    memcpy(halves, row + i, (size_t)count * 2);
    store_some(to + i, widen(halves), count);
  })
}

/* --- scratch memory: one arena per thread, reused by the next call --------------------------------- */

typedef struct {
  char *start;
  size_t size, used;
} Arena;

static _Thread_local Arena arena;

static void make_room(Arena *own, size_t size) {
  if (size > own->size) {
    free(own->start);
    own->size = (size + size / 2 + 4095) & ~(size_t)4095;
    own->start = aligned_alloc(64, own->size);
    if (!own->start) abort();
  }
  own->used = 0;
}

static void reserve(size_t floats, int parts) {
  make_room(&arena, floats * 4 + (size_t)parts * 64);
}

static float *take(size_t floats) {
  float *part = (float *)(arena.start + arena.used);
  arena.used += (floats * 4 + 63) & ~(size_t)63;
  return part;
}

/* --- the times of operations, for a call that is given a log --------------------------------------- */

enum { FORWARDS, BACKWARDS, ATTENTION, UPDATE, SELF, CROSS, FEED_FORWARD, OUTPUT }; /* operation_log.py */

typedef struct {
  int64_t kind, place; /* of a word or a layer */
  int64_t began, ended; /* in nanoseconds */
} Operation;

typedef struct {
  int64_t count, room; /* operations beyond the room are counted only */
  Operation operations[];
} Log;

/* The time, if there is a log. */
static int64_t now(const Log *log) {
  struct timespec time;
  if (!log) return 0;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

/* Logs an operation that ends now, and returns this time, at which the next one begins. */
static int64_t logged(Log *log, int kind, long place, int64_t began) {
  if (!log) return 0;
  const int64_t ended = now(log), at = __atomic_fetch_add(&log->count, 1, __ATOMIC_RELAXED);
  if (at < log->room) log->operations[at] = (Operation){kind, place, began, ended};
  return ended;
}

/* --- several threads ---------------------------------------------------------------------------

   Rows are independent, so a step of many rows is split among the threads of a pool, which
   synchronize only at its end. A free thread takes the next chunk: if the other cores are busy, the
   caller computes everything at almost no extra cost. */

#define WORKERS 7 /* threads in addition to the caller's */
#define STEP_ROWS 4 /* rows of a step per thread: with fewer, loading the weights dominates */
#define MAP_ROWS 64 /* rows of a single linear map per thread */

typedef void (*Work)(const void *task, int from, int to); /* rows from `from` up to before `to` */

static struct {
  pthread_mutex_t in_use; /* held by one caller at a time; others compute alone */
  pthread_mutex_t lock;   /* of the fields below */
  pthread_cond_t begun, ended;
  int workers, busy;
  unsigned round;
  Work work;
  const void *task;
  int rows, chunk;
  atomic_int next;
} pool = {.in_use = PTHREAD_MUTEX_INITIALIZER,
          .lock = PTHREAD_MUTEX_INITIALIZER,
          .begun = PTHREAD_COND_INITIALIZER,
          .ended = PTHREAD_COND_INITIALIZER};

static void run_chunks(void) {
  int from;
  while ((from = atomic_fetch_add(&pool.next, pool.chunk)) < pool.rows)
    pool.work(pool.task, from, from + pool.chunk < pool.rows ? from + pool.chunk : pool.rows);
}

static void *worker_loop(void *unused) {
  unsigned finished_round = 0;
  pthread_mutex_lock(&pool.lock);
  for (;;) {
    while (pool.round == finished_round) pthread_cond_wait(&pool.begun, &pool.lock);
    finished_round = pool.round;
    pool.busy++;
    pthread_mutex_unlock(&pool.lock);
    run_chunks();
    pthread_mutex_lock(&pool.lock);
    if (--pool.busy == 0) pthread_cond_signal(&pool.ended);
  }
  return unused;
}

static void start_workers(int wanted) {
  pthread_t thread;
  while (pool.workers < wanted && pool.workers < WORKERS) {
    if (pthread_create(&thread, 0, worker_loop, 0)) return; /* fewer threads then */
    pthread_detach(thread);
    pool.workers++;
  }
}

/* Processes all rows, on up to `threads` threads with at least `least` rows each. */
static void run_parallel(Work work, const void *task, int rows, int least, int threads) {
  if (threads > rows / least) threads = rows / least;
  if (threads < 2 || pthread_mutex_trylock(&pool.in_use)) {
    work(task, 0, rows);
    return;
  }
  pthread_mutex_lock(&pool.lock);
  while (pool.busy) pthread_cond_wait(&pool.ended, &pool.lock); /* late workers of the last round */
  start_workers(threads - 1);
  pool.work = work, pool.task = task;
  pool.rows = rows, pool.chunk = (rows + threads - 1) / threads;
  atomic_store(&pool.next, 0);
  pool.round++;
  pthread_cond_broadcast(&pool.begun);
  pthread_mutex_unlock(&pool.lock);
  run_chunks();
  pthread_mutex_lock(&pool.lock);
  while (pool.busy) pthread_cond_wait(&pool.ended, &pool.lock);
  pthread_mutex_unlock(&pool.lock);
  pthread_mutex_unlock(&pool.in_use);
}

/* --- a linear map of n rows -------------------------------------------------------------------- */

enum { PLAIN, RECTIFIED, SQUASHED }; /* applied to the outputs: nothing, ReLU, tanh */

/* A vector of weights, of 16 bits or of 32. */
INLINE Vec weights_at(const int full, const char *packed, int vector) {
  return full ? load((const float *)packed + vector * LANES)
              : widen((const Half *)packed + vector * LANES);
}

/* rows × (vectors * LANES) outputs of a panel. */
INLINE void block(const int full, const int rows, const int vectors, const float *x, long stride,
                  const char *packed, const float *bias, float *y, long wide, int inputs, int left) {
  const int line = PANEL * (full ? 4 : 2);
  Vec sums[ROWS][VECTORS];
  UNROLLED for (int r = 0; r < rows; r++) UNROLLED for (int c = 0; c < vectors; c++)
      sums[r][c] = bias ? load(bias + c * LANES) : all(0);
  for (int i = 0; i < inputs; i++, packed += line) {
    UNROLLED for (int at = 0; at < line; at += 64) __builtin_prefetch(packed + AHEAD + at);
    if (rows < vectors) { /* keep the smaller operand in registers */
      Vec given[ROWS];
      UNROLLED for (int r = 0; r < rows; r++) given[r] = all(x[r * stride + i]);
      UNROLLED for (int c = 0; c < vectors; c++) {
        Vec weights = weights_at(full, packed, c);
        UNROLLED for (int r = 0; r < rows; r++) sums[r][c] += given[r] * weights;
      }
    } else {
      Vec weights[VECTORS];
      UNROLLED for (int c = 0; c < vectors; c++) weights[c] = weights_at(full, packed, c);
      UNROLLED for (int r = 0; r < rows; r++) {
        Vec given = all(x[r * stride + i]);
        UNROLLED for (int c = 0; c < vectors; c++) sums[r][c] += given * weights[c];
      }
    }
  }
  UNROLLED for (int r = 0; r < rows; r++) UNROLLED for (int c = 0; c < vectors; c++) {
    int count = left - c * LANES;
    if (count >= LANES)
      store(y + r * wide + c * LANES, sums[r][c]);
    else if (count > 0)
      store_some(y + r * wide + c * LANES, sums[r][c], count);
  }
}

/* Applies ReLU or tanh to a panel's outputs; a pass of its own, so that sums have all registers. */
static void activate(int finish, float *y, long wide, int n, int outputs) {
  for (int row = 0; row < n; row++, y += wide)
    EVERY(i, outputs, {
      Vec value = load_some(y + i, count);
      value = finish == RECTIFIED ? rectified(value) : hyperbolic(value);
      store_some(y + i, value, count);
    })
}

/* y (n, outputs) = finish(x (n, inputs) W + b); rows of x are `stride` floats apart, of y `wide`.
   A panel is multiplied by blocks of rows of similar size while it is in the cache. A single row
   reads it once, front to back: memory is then the limit. */
INLINE void linear_of(const int full, const Linear *map, const float *x, long stride, float *y,
                      long wide, int n, int finish) {
  const int inputs = map->inputs, outputs = map->outputs, each = full ? 4 : 2; /* bytes */
  for (int p = 0; p < outputs; p += PANEL) {
    const char *packed = (const char *)map->weights + (size_t)p * inputs * each;
    const float *bias = map->bias ? map->bias + p : 0;
    const int left = outputs - p < PANEL ? outputs - p : PANEL;
    for (int row = 0, blocks = (n + ROWS - 1) / ROWS; row < n; blocks--) {
      const int rows = (n - row + blocks - 1) / blocks;
      const float *from = x + row * stride;
      float *to = y + row * wide + p;
      switch (rows) {
#define GO(R, W) block(full, R, W, from, stride, packed + c * each, b, to + c, wide, inputs, left - c)
#define BLOCK(R, W)                                                                                \
  for (int c = 0; c < left; c += W * LANES) {                                                      \
    const float *b = bias ? bias + c : 0;                                                          \
    if (left - c <= W / 2 * LANES)                                                                 \
      GO(R, W / 2);                                                                                \
    else if (VECTORS % W == 0 || c + W * LANES <= PANEL)                                           \
      GO(R, W);                                                                                    \
    else                                                                                           \
      GO(R, VECTORS % W);                                                                          \
  }                                                                                                \
  break;
        case 1: BLOCK(1, VECTORS)
        case 2: BLOCK(2, WIDEST)
        case 3: BLOCK(3, WIDEST)
        case 4: BLOCK(4, WIDER)
        case 5: BLOCK(5, WIDE)
        default: BLOCK(ROWS, WIDE)
#undef BLOCK
#undef GO
      }
      row += rows;
    }
    if (finish != PLAIN) activate(finish, y + p, wide, n, left);
  }
}

#if defined(HAS_TILES)
#include "amx.c"
#endif

static void linear(const Linear *map, const float *x, long stride, float *y, long wide, int n,
                   int finish, int by_tiles) {
#if defined(HAS_TILES)
  if (by_tiles && tiles_fit(map, n)) {
    linear_by_tiles(map, x, stride, y, wide, n, finish);
    return;
  }
#else
  (void)by_tiles;
#endif
  linear_of(0, map, x, stride, y, wide, n, finish);
}

/* --- attention ---------------------------------------------------------------------------------- */

enum { NONE, ADDITIVE, DOT };

INLINE float inner(const float *a, const float *b, int d) {
  Vec total = {0};
  EVERY(i, d, { total += load_some(a + i, count) * load_some(b + i, count); })
  return sum(total);
}

/* v · tanh(query + key) */
INLINE float energy_of(const float *query, const float *key, const float *energy, int d) {
  Vec total = {0};
  EVERY(i, d, {
    Vec squashed = hyperbolic(load_some(query + i, count) + load_some(key + i, count));
    total += load_some(energy + i, count) * squashed;
  })
  return sum(total);
}

/* Softmax of the first `length` scores; the other keys get the score -inf and the weight 0. */
static void softmax(float *scores, float *weights, int length, int keys) {
  float top = -INFINITY;
  Vec total = {0};
  for (int k = 0; k < length; k++)
    if (!(scores[k] <= top)) top = scores[k];
  EVERY(i, length, { store_some(weights + i, exponential(load_some(scores + i, count) - top), count); })
  EVERY(i, length, { total += load_some(weights + i, count); })
  const float sums = sum(total);
  for (int k = 0; k < length; k++) weights[k] /= sums;
  for (int k = length; k < keys; k++) scores[k] = -INFINITY, weights[k] = 0;
}

/* The argmax of score plus Gumbel noise, a sample by the weights (Gumbel 1954). */
static int sample_key(const float *scores, const float *gumbel, int length) {
  int at = 0;
  for (int k = 1; k < length; k++)
    if (scores[k] + gumbel[k] > scores[at] + gumbel[at]) at = k;
  return at;
}

typedef struct {
  int key;
  float weight;
} Drawn;

#include "edits.c"

/* Softmax of a row, after its edits if it has any. Draws a key, if there is noise to draw with. */
static Drawn softmax_of(const RowEdits *edits, float *scores, float *weights, int length, int keys,
                        const float *gumbel) {
  if (edits && edits->count) return edited_softmax(edits, scores, weights, length, keys, gumbel);
  softmax(scores, weights, length, keys);
  int key = gumbel ? sample_key(scores, gumbel, length) : 0;
  return (Drawn){key, weights[key]};
}

/* The weighted sum of values. */
static void weighted_sum(const float *weights, const float *values, long stride, int length, int d,
                     float *context) {
  EVERY(i, d, {
    Vec total = {0};
    for (int k = 0; k < length; k++) total += weights[k] * load_some(values + k * stride + i, count);
    store_some(context + i, total, count);
  })
}

/* --- ranking of logits ---------------------------------------------------------------------------- */

/* The most likely tokens, best first (ties: lowest id first), and the normalizer. */
static void rank(const float *logits, int vocabulary, int64_t *tokens, float *logs,
                 float *normalizer) {
  float best[RANKED] = {0};
  int64_t at[RANKED] = {0};
  int found = 0, most = vocabulary - NEVER_WRITTEN < RANKED ? vocabulary - NEVER_WRITTEN : RANKED;
  for (int i = NEVER_WRITTEN; i < vocabulary;) {
    if (found == most && i + LANES <= vocabulary) {
      if (!any(load(logits + i) > best[most - 1])) {
        i += LANES;
        continue;
      }
    }
    int end = i + LANES < vocabulary ? i + LANES : vocabulary;
    for (; i < end; i++) {
      if (found == most && !(logits[i] > best[most - 1])) continue;
      int place = found < most ? found++ : most - 1;
      for (; place > 0 && logits[i] > best[place - 1]; place--)
        best[place] = best[place - 1], at[place] = at[place - 1];
      best[place] = logits[i], at[place] = i;
    }
  }
  const float *written = logits + NEVER_WRITTEN;
  int i = 0;
  Vec total = {0};
  for (; i + LANES <= vocabulary - NEVER_WRITTEN; i += LANES)
    total += exponential(load(written + i) - best[0]);
  float sums = sum(total);
  for (; i < vocabulary - NEVER_WRITTEN; i++) sums += expf(written[i] - best[0]);
  *normalizer = best[0] + logf(sums);
  for (int r = 0; r < most; r++) tokens[r] = at[r], logs[r] = best[r] - *normalizer;
}

/* --- recurrent networks ----------------------------------------------------------------------------- */

/* The new state of a GRU from the projections (3d: r, z, n) of its input and of its old state. */
static void gru(const float *given, const float *kept, const float *old, float *fresh, int d) {
  EVERY(i, d, {
    Vec reset = sigmoid(load_some(given + i, count) + load_some(kept + i, count));
    Vec update = sigmoid(load_some(given + d + i, count) + load_some(kept + d + i, count));
    Vec rest = reset * load_some(kept + 2 * d + i, count);
    Vec next = hyperbolic(load_some(given + 2 * d + i, count) + rest);
    store_some(fresh + i, next + update * (load_some(old + i, count) - next), count);
  })
}

/* One direction of one layer over n texts: `given` (n, k, 3d) holds the projected inputs; the
   states are written to `to`, in rows `wide` apart. Texts are sorted by length, longest first. */
static void encode_direction(const Linear *hidden, const float *given, const int64_t *lengths, int n,
                         int k, int backwards, float *to, long wide, int by_tiles, Log *log) {
  int d = hidden->inputs;
  int64_t began = now(log);
  float *old = take((size_t)n * d), *kept = take((size_t)n * 3 * d);
  memset(old, 0, (size_t)n * d * 4);
  for (int t = 0; t < k; t++) {
    int live = 0;
    while (live < n && lengths[live] > t) live++;
    linear(hidden, old, d, kept, 3 * d, live, PLAIN, by_tiles);
    for (int row = 0; row < live; row++) {
      long at = (long)row * k + (backwards ? lengths[row] - 1 - t : t);
      gru(given + at * 3 * d, kept + (long)row * 3 * d, old + (long)row * d, to + at * wide, d);
      memcpy(old + (long)row * d, to + at * wide, (size_t)d * 4);
    }
    began = logged(log, backwards ? BACKWARDS : FORWARDS, backwards ? lengths[0] - 1 - t : t, began);
  }
}

typedef struct {
  const Linear *given, *hidden; /* of each direction */
  const float *states;          /* (n, k, inputs) */
  const int64_t *lengths;       /* sorted, the longest first */
  float *memory;                /* (n, k, 2d) */
  Log *log;                     /* or null */
  int32_t n, k, threads, by_tiles;
} RecurrentEncoding;

static void encode_directions(const void *task, int from, int to) {
  const RecurrentEncoding *read = task;
  const int n = read->n, k = read->k, d = read->hidden->inputs;
  for (int way = from; way < to; way++) {
    const Linear *given = read->given + way;
    reserve((size_t)n * (k * 3 * d + 4 * d), 16);
    float *gates = take((size_t)n * k * 3 * d);
    linear(given, read->states, given->inputs, gates, 3 * d, n * k, PLAIN, read->by_tiles);
    encode_direction(read->hidden + way, gates, read->lengths, n, k, way, read->memory + way * d,
                     2 * d, read->by_tiles, read->log);
  }
}

/* A layer of a recurrent encoder. */
void heed_encode_recurrent(const RecurrentEncoding *read) {
  run_parallel(encode_directions, read, 2, 1, read->threads);
}

typedef struct {
  Linear query, join, output; /* query: of additive attention */
  const Linear *given, *hidden; /* of each layer */
  const Half *table;            /* embeddings, row by row */
  const float *energy;
  const float *gate; /* Xu et al. 2015, 4.2.1: scales the context; null without a gate */
  int32_t embedding, width, memory, scored, layers, vocabulary;
  int32_t mechanism, after, query_feeding, input_feeding, threads;
  float scale, gate_bias;
} Recurrent;

typedef struct {
  const int64_t *tokens, *rows, *owners; /* of each row: token, row in the last step, text */
  const int64_t *lengths;                 /* of each text: the number of its keys that are not masked */
  const float *keys, *values;            /* of each text */
  const float *hidden, *feed;            /* of the previous step */
  const float *gumbel;                   /* noise of each text (k), if keys are sampled */
  const RowEdits *edits;                 /* of each row; null without any */
  const float *given_gates;              /* of each row, NaN where the network opens it; or null */
  Log *log;                              /* or null */
  int32_t n, k, by_tiles;
  float *logits, *scores, *weights, *projected, *query, *context, *fresh, *fed, *logs, *normalizers;
  float *gates, *drawn_weights;
  int64_t *likeliest, *drawn;
} RecurrentStep;

/* The width of the query of attention. */
static int width_of_query(const Recurrent *net) {
  return net->width + (!net->after && net->query_feeding ? net->embedding : 0);
}

static void step_recurrent(const Recurrent *net, const RecurrentStep *step) {
  const int n = step->n, e = net->embedding, d = net->width, m = net->memory, l = net->layers;
  const int query_width = width_of_query(net);
  const int extra = net->after ? (net->input_feeding ? e : 0) : m;
  const int joined = net->join.inputs;
  reserve((size_t)n * (e + extra + 7 * d + joined + e + (net->gate ? m : 0)), 16);
  float *input = take((size_t)n * (e + extra)), *gates = take((size_t)n * 3 * d);
  float *kept = take((size_t)n * 3 * d), *old = take((size_t)n * d);
  float *parts = take((size_t)n * joined), *readout = take((size_t)n * e);
  float *used = net->gate ? take((size_t)n * m) : step->context; /* gated context */

  for (int row = 0; row < n; row++) {
    const Half *embedded = net->table + (size_t)step->tokens[row] * e;
    float *to = input + (long)row * (e + extra);
    embed(embedded, e, to);
    if (net->input_feeding) memcpy(to + e, step->feed + step->rows[row] * e, (size_t)e * 4);
  }

  int64_t began = now(step->log);
  for (int pass = 0; pass < 2; pass++) {
    if (pass == !!net->after) { /* attend */
      for (int row = 0; row < n; row++) {
        float *query = step->query + (long)row * query_width;
        const float *state = net->after ? step->fresh + ((long)row * l + l - 1) * d
                                        : step->hidden + (step->rows[row] * l + l - 1) * d;
        memcpy(query, state, (size_t)d * 4);
        if (net->query_feeding)
          memcpy(query + d, input + (long)row * (e + extra), (size_t)e * 4);
      }
      const float *queries = step->query;
      int wide = net->scored;
      if (net->mechanism == ADDITIVE)
        linear(&net->query, step->query, query_width, step->projected, wide, n, PLAIN, step->by_tiles);
      if (net->mechanism == ADDITIVE) queries = step->projected;
      for (int row = 0; row < n; row++) {
        long text = step->owners[row];
        float *context = step->context + (long)row * m;
        if (net->mechanism == NONE) {
          memcpy(context, step->values + text * m, (size_t)m * 4);
          continue;
        }
        const float *keys = step->keys + text * step->k * wide;
        float *scores = step->scores + (long)row * step->k;
        float *weights = step->weights + (long)row * step->k;
        const float *query = queries + (long)row * wide;
        int length = (int)step->lengths[text];
        for (int k = 0; k < length; k++)
          scores[k] = net->mechanism == ADDITIVE
                          ? energy_of(query, keys + (long)k * wide, net->energy, wide)
                          : inner(query, keys + (long)k * wide, wide) * net->scale;
        const RowEdits *edits = step->edits ? step->edits + row : 0;
        const float *noise = step->gumbel ? step->gumbel + text * step->k : 0;
        const Drawn drawn = softmax_of(edits, scores, weights, length, step->k, noise);
        const float *values = step->values + text * step->k * m;
        if (noise) {
          step->drawn[row] = drawn.key;
          step->drawn_weights[row] = drawn.weight;
          memcpy(context, values + (long)drawn.key * m, (size_t)m * 4);
          if (weights[drawn.key] == 0 && drawn.weight > 0) memset(context, 0, (size_t)m * 4);
        } else {
          weighted_sum(weights, values, m, length, m, context);
        }
        if (net->gate) {
          float open = inner(step->query + (long)row * query_width, net->gate, d) + net->gate_bias;
          step->gates[row] = 1.0f / (1.0f + expf(-open));
          if (step->given_gates && !isnan(step->given_gates[row]))
            step->gates[row] = step->given_gates[row];
          for (int i = 0; i < m; i++) used[(long)row * m + i] = step->gates[row] * context[i];
        }
      }
      if (!net->after)
        for (int row = 0; row < n; row++)
          memcpy(input + (long)row * (e + extra) + e, used + (long)row * m, (size_t)m * 4);
      if (net->mechanism != NONE) began = logged(step->log, ATTENTION, 0, began);
    } else { /* update */
      const float *from = input;
      long stride = e + extra;
      for (int layer = 0; layer < l; layer++) {
        for (int row = 0; row < n; row++)
          memcpy(old + (long)row * d, step->hidden + (step->rows[row] * l + layer) * d, (size_t)d * 4);
        linear(net->given + layer, from, stride, gates, 3 * d, n, PLAIN, step->by_tiles);
        linear(net->hidden + layer, old, d, kept, 3 * d, n, PLAIN, step->by_tiles);
        for (int row = 0; row < n; row++)
          gru(gates + (long)row * 3 * d, kept + (long)row * 3 * d, old + (long)row * d,
                step->fresh + ((long)row * l + layer) * d, d);
        from = step->fresh + (long)layer * d;
        stride = (long)l * d;
        began = logged(step->log, UPDATE, layer, began);
      }
    }
  }

  for (int row = 0; row < n; row++) {
    float *to = parts + (long)row * joined;
    const float *state = step->fresh + ((long)row * l + l - 1) * d;
    const float *context = used + (long)row * m;
    memcpy(to, net->after ? context : state, (size_t)(net->after ? m : d) * 4);
    memcpy(to + (net->after ? m : d), net->after ? state : context, (size_t)(net->after ? d : m) * 4);
    if (!net->after) memcpy(to + d + m, input + (long)row * (e + extra), (size_t)e * 4);
  }
  float *combined = net->input_feeding ? step->fed : readout;
  linear(&net->join, parts, joined, combined, e, n, SQUASHED, step->by_tiles);
  linear(&net->output, combined, e, step->logits, net->vocabulary, n, PLAIN, step->by_tiles);
  for (int row = 0; row < n; row++)
    rank(step->logits + (long)row * net->vocabulary, net->vocabulary,
         step->likeliest + (long)row * RANKED, step->logs + (long)row * RANKED,
         step->normalizers + row);
  logged(step->log, OUTPUT, 0, began);
}

typedef struct {
  const Recurrent *net;
  const RecurrentStep *step;
} RecurrentTask;

static void step_recurrent_rows(const void *task, int from, int to) {
  const Recurrent *net = ((const RecurrentTask *)task)->net;
  RecurrentStep part = *((const RecurrentTask *)task)->step;
  const long row = from;
  part.n = to - from;
  part.tokens += row, part.rows += row, part.owners += row;
  part.logits += row * net->vocabulary;
  part.scores += row * part.k, part.weights += row * part.k;
  part.projected += row * net->scored, part.query += row * width_of_query(net);
  part.context += row * net->memory;
  part.fresh += row * net->layers * net->width, part.fed += row * net->embedding;
  part.logs += row * RANKED, part.normalizers += row, part.likeliest += row * RANKED;
  if (net->gate) part.gates += row;
  if (part.edits) part.edits += row;
  if (part.given_gates) part.given_gates += row;
  if (part.gumbel) part.drawn += row, part.drawn_weights += row;
  step_recurrent(net, &part);
}

void heed_step_recurrent(const Recurrent *net, const RecurrentStep *step) {
  const RecurrentTask task = {net, step};
  run_parallel(step_recurrent_rows, &task, step->n, STEP_ROWS, net->threads);
}

/* --- Transformers --------------------------------------------------------------------------------- */

typedef struct {
  const float *gain, *bias;
} Norm;

typedef struct {
  Linear own, own_out;         /* own: queries, keys and values at once */
  Linear cross_query, cross_out;    /* of cross-attention; its keys and values are computed once */
  Linear up, down;
  Norm norms[3];
} Layer;

typedef struct {
  const Layer *layers;
  Linear output;
  Norm norm;
  const Half *table;
  int32_t count, width, heads, vocabulary, threads;
} Transformer;

/* Layer norm (Ba et al. 2016) of n rows. */
static void layer_norm(const Norm *norm, const float *x, float *y, int n, int d) {
  for (int row = 0; row < n; row++, x += d, y += d) {
    Vec total = {0};
    EVERY(i, d, { total += load_some(x + i, count); })
    float mean = sum(total) / d, spread = 0;
    total = all(0);
    int i = 0;
    for (; i + LANES <= d; i += LANES) total += (load(x + i) - mean) * (load(x + i) - mean);
    for (; i < d; i++) spread += (x[i] - mean) * (x[i] - mean);
    float scale = 1.0f / sqrtf((sum(total) + spread) / d + 1e-5f);
    for (i = 0; i < d; i++) y[i] = (x[i] - mean) * scale * norm->gain[i] + norm->bias[i];
  }
}

static void added(float *to, const float *change, long count) {
  for (long i = 0; i < count; i++) to[i] += change[i];
}

/* Attention of one query in every head to keys and values (k, d), `stride` apart; the scores and
   weights (k) of the heads are `wide` apart, and their edits `apart`. */
static void attend(const float *query, const float *keys, const float *values, long stride, int length,
                   int k, int heads, int d, float *scores, float *weights, long wide,
                   const RowEdits *edits, long apart, float *context) {
  int part = d / heads;
  float scale = 1.0f / sqrtf((float)part);
  for (int head = 0; head < heads; head++, scores += wide, weights += wide) {
    int at = head * part;
    for (int i = 0; i < length; i++)
      scores[i] = inner(query + at, keys + i * stride + at, part) * scale;
    softmax_of(edits ? edits + head * apart : 0, scores, weights, length, k, 0);
    weighted_sum(weights, values + at, stride, length, part, context + at);
  }
}

/* Adds the output of the feed-forward network to the states. */
static void feed_forward(const Layer *layer, const Norm *norm, float *states, float *normalized,
                         float *up, float *change, int n, int d, int by_tiles) {
  int inner_width = layer->up.outputs;
  layer_norm(norm, states, normalized, n, d);
  linear(&layer->up, normalized, d, up, inner_width, n, RECTIFIED, by_tiles);
  linear(&layer->down, up, inner_width, change, d, n, PLAIN, by_tiles);
  added(states, change, (long)n * d);
}

typedef struct {
  const Transformer *net;
  float *states; /* (n, k, d), in place the memory */
  const int64_t *lengths;
  float *scores, *weights; /* (layers, n, heads, k, k) */
  float *vectors;          /* queries, keys and values (layers, n, k, 3, d); may be null */
  const RowEdits *edits;   /* (layers, n, heads, k); null without any */
  Log *log;                /* or null */
  int32_t n, k, by_tiles;
} TransformerEncoding;

static void encode_texts(const void *task, int from, int to) {
  const TransformerEncoding *read = task;
  const Transformer *net = read->net;
  const int d = net->width, heads = net->heads, k = read->k, rows = (to - from) * k;
  const int wide = net->layers[0].up.outputs;
  float *states = read->states + (long)from * k * d;
  reserve((size_t)rows * (6 * d + wide), 12);
  float *normalized = take((size_t)rows * d);
  float *projected = take((size_t)rows * 3 * d), *context = take((size_t)rows * d);
  float *change = take((size_t)rows * d), *up = take((size_t)rows * wide);
  int64_t began = now(read->log);
  for (int place = 0; place < net->count; place++) {
    const Layer *layer = net->layers + place;
    const long first = (long)place * read->n + from; /* of the maps */
    layer_norm(&layer->norms[0], states, normalized, rows, d);
    if (read->vectors) projected = read->vectors + first * k * 3 * d;
    linear(&layer->own, normalized, d, projected, 3 * d, rows, PLAIN, read->by_tiles);
    for (int row = 0; row < rows; row++) {
      long text = row / k, at = row % k;
      const float *keys = projected + text * k * 3 * d + d;
      long map_row = (first + text) * heads * k + at, map = map_row * k;
      attend(projected + (long)row * 3 * d, keys, keys + d, 3 * d, (int)read->lengths[from + text], k,
             heads, d, read->scores + map, read->weights + map, (long)k * k,
             read->edits ? read->edits + map_row : 0, k, context + (long)row * d);
    }
    linear(&layer->own_out, context, d, change, d, rows, PLAIN, read->by_tiles);
    added(states, change, (long)rows * d);
    began = logged(read->log, SELF, place, began);
    feed_forward(layer, &layer->norms[1], states, normalized, up, change, rows, d,
                 read->by_tiles);
    began = logged(read->log, FEED_FORWARD, place, began);
  }
  layer_norm(&net->norm, states, states, rows, d);
}

void heed_encode_transformer(const TransformerEncoding *read) {
  run_parallel(encode_texts, read, read->n, 1, read->net->threads);
}

typedef struct {
  const int64_t *tokens, *rows, *owners, *lengths;
  const float *const *cross;   /* of each layer: keys (texts, k, d), then values */
  const float *const *before;  /* of each layer: the keys of the output so far (rows, room, d), values */
  float *const *written;       /* the same including this step; may be the same memory */
  const float *position;
  const RowEdits *edits; /* (2 layers, n, heads): of cross-attention, then of the output; or null */
  Log *log;              /* or null */
  int32_t n, k, t, room_before, room, by_tiles; /* t: tokens of the output so far */
  float *logits, *query, *context, *state, *logs, *normalizers;
  float *scores, *weights, *queries;             /* (layers, n, heads, k), queries (layers, n, d) */
  float *own_scores, *own_weights, *own_projected;  /* (layers, n, heads, t + 1), projected (layers, n, 3, d) */
  int64_t *likeliest;
} TransformerStep;

typedef struct {
  const Transformer *net;
  const TransformerStep *step;
} TransformerTask;

static void step_transformer_rows(const void *task, int from, int to) {
  const Transformer *net = ((const TransformerTask *)task)->net;
  const TransformerStep *step = ((const TransformerTask *)task)->step;
  const int n = to - from, d = net->width, heads = net->heads, t = step->t, k = step->k;
  const int wide = net->layers[0].up.outputs;
  const float root = sqrtf((float)d);
  float *query = step->query + (long)from * d, *context = step->context + (long)from * d;
  float *state = step->state + (long)from * d;
  reserve((size_t)n * (4 * d + wide), 12);
  float *states = take((size_t)n * d), *normalized = take((size_t)n * d);
  float *attended = take((size_t)n * d), *change = take((size_t)n * d);
  float *up = take((size_t)n * wide);
  int64_t began = now(step->log);
  for (int row = 0; row < n; row++) {
    embed(net->table + (size_t)step->tokens[from + row] * d, d, states + (long)row * d);
    for (int i = 0; i < d; i++)
      states[(long)row * d + i] = states[(long)row * d + i] * root + step->position[i];
  }
  for (int place = 0; place < net->count; place++) {
    const Layer *layer = net->layers + place;
    const long first = (long)place * step->n + from; /* row of the outputs of this layer */
    const long own_first = first + (long)net->count * step->n;
    layer_norm(&layer->norms[0], states, normalized, n, d);
    float *projected = step->own_projected + first * 3 * d;
    linear(&layer->own, normalized, d, projected, 3 * d, n, PLAIN, step->by_tiles);
    for (int row = 0; row < n; row++) {
      float *keys = step->written[2 * place] + (long)(from + row) * step->room * d;
      float *values = step->written[2 * place + 1] + (long)(from + row) * step->room * d;
      if (step->written[2 * place] != step->before[2 * place] && t) {
        long before = step->rows[from + row] * step->room_before * d;
        memcpy(keys, step->before[2 * place] + before, (size_t)t * d * 4);
        memcpy(values, step->before[2 * place + 1] + before, (size_t)t * d * 4);
      }
      const float *mine = projected + (long)row * 3 * d;
      memcpy(keys + (long)t * d, mine + d, (size_t)d * 4);
      memcpy(values + (long)t * d, mine + 2 * d, (size_t)d * 4);
      long map = (first + row) * heads * (t + 1);
      const RowEdits *own = step->edits ? step->edits + own_first * heads + row * heads : 0;
      attend(mine, keys, values, d, t + 1, t + 1, heads, d, step->own_scores + map,
             step->own_weights + map, t + 1, own, 1, attended + (long)row * d);
    }
    linear(&layer->own_out, attended, d, change, d, n, PLAIN, step->by_tiles);
    added(states, change, (long)n * d);
    began = logged(step->log, SELF, place, began);

    layer_norm(&layer->norms[1], states, query, n, d); /* the last layer's query remains */
    float *queries = step->queries + first * d;
    linear(&layer->cross_query, query, d, queries, d, n, PLAIN, step->by_tiles);
    for (int row = 0; row < n; row++) {
      long text = step->owners[from + row], map = (first + row) * heads * k;
      attend(queries + (long)row * d, step->cross[2 * place] + text * k * d,
             step->cross[2 * place + 1] + text * k * d, d, (int)step->lengths[text], k, heads, d,
             step->scores + map, step->weights + map, k,
             step->edits ? step->edits + (first + row) * heads : 0, 1, attended + (long)row * d);
    }
    linear(&layer->cross_out, attended, d, context, d, n, PLAIN, step->by_tiles);
    added(states, context, (long)n * d);
    began = logged(step->log, CROSS, place, began);
    feed_forward(layer, &layer->norms[2], states, normalized, up, change, n, d,
                 step->by_tiles);
    began = logged(step->log, FEED_FORWARD, place, began);
  }
  layer_norm(&net->norm, states, state, n, d);
  float *logits = step->logits + (long)from * net->vocabulary;
  linear(&net->output, state, d, logits, net->vocabulary, n, PLAIN, step->by_tiles);
  for (int row = 0; row < n; row++)
    rank(logits + (long)row * net->vocabulary, net->vocabulary,
         step->likeliest + (long)(from + row) * RANKED, step->logs + (long)(from + row) * RANKED,
         step->normalizers + from + row);
  logged(step->log, OUTPUT, 0, began);
}

void heed_step_transformer(const Transformer *net, const TransformerStep *step) {
  const TransformerTask task = {net, step};
  run_parallel(step_transformer_rows, &task, step->n, STEP_ROWS, net->threads);
}

/* --- a linear map, for projections computed once --------------------------------------------------- */

typedef struct {
  const Linear *map;
  const float *x;
  float *y;
  int finish, by_tiles;
} LinearTask;

static void linear_rows(const void *task, int from, int to) {
  const LinearTask *own = task;
  const long inputs = own->map->inputs, outputs = own->map->outputs;
  linear(own->map, own->x + from * inputs, inputs, own->y + from * outputs, outputs, to - from,
         own->finish, own->by_tiles);
}

void heed_linear(const Linear *map, const float *x, float *y, int32_t n, int32_t finish,
                 int32_t threads, int32_t by_tiles) {
  const LinearTask task = {map, x, y, finish, by_tiles};
  run_parallel(linear_rows, &task, n, MAP_ROWS, threads);
}

#include "conv.c"
