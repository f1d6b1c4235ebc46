/* The interpreter of edits: a row of scores to its weights, as models/edits/rows.py defines it.

   All of it is in 64 bits, and for one row, so that no bit depends on the other rows. A key that is
   masked lies behind the `length` of the row. Letters: k keys. */

enum { BLOCK, ONLY, SCALE, SET, TEMPERATURE, UNIFORM, PERMUTE, ROW, SILENCE };

typedef struct {
  const int32_t *keys;   /* of which there are `count` */
  const double *weights; /* of ROW, of which there are `count` */
  double number;         /* a factor, a weight, a temperature or a seed */
  int32_t op, count;
} Edit;

typedef struct {
  const Edit *first;
  int64_t count;
} RowEdits;

typedef struct {
  double *scores;
  char *live, *chosen, *silent; /* live: neither masked nor blocked */
  int32_t *places;
  int length;
} EditedRow;

#define LOWEST (-1e30) /* the least score of a key that is not blocked */

/* Whether a key is one of the chosen (or of the others), and live if that is asked for. */
static int among(const EditedRow *row, int k, int others, int live) {
  return row->chosen[k] != others && (!live || row->live[k]);
}

static int count_of(const EditedRow *row, int others, int live) {
  int count = 0;
  for (int k = 0; k < row->length; k++) count += among(row, k, others, live);
  return count;
}

static double highest(const EditedRow *row) {
  double top = -INFINITY;
  for (int k = 0; k < row->length; k++)
    if (row->live[k] && row->scores[k] > top) top = row->scores[k];
  return top;
}

static double log_sum(const EditedRow *row, int others) {
  double top = -INFINITY, total = 0;
  for (int k = 0; k < row->length; k++)
    if (among(row, k, others, 1) && row->scores[k] > top) top = row->scores[k];
  for (int k = 0; k < row->length; k++)
    if (among(row, k, others, 1)) total += exp(row->scores[k] - top);
  return top + log(total);
}

static void block_keys(EditedRow *row, int others) {
  for (int k = 0; k < row->length; k++)
    if (among(row, k, others, 0)) row->live[k] = 0;
}

/* Gives equal scores to keys that are all blocked. */
static void revive(EditedRow *row, int others) {
  if (count_of(row, others, 1)) return;
  for (int k = 0; k < row->length; k++)
    if (among(row, k, others, 0)) row->live[k] = 1, row->scores[k] = 0;
}

static void set_weight(EditedRow *row, double weight) {
  if (!count_of(row, 0, 0) || (weight > 0 && weight < 1 && !count_of(row, 1, 0))) return;
  if (weight > 0) revive(row, 0);
  if (weight < 1) revive(row, 1);
  if (weight == 0 || weight == 1) {
    block_keys(row, weight == 1);
    return;
  }
  double shift = log(weight) - log1p(-weight) - (log_sum(row, 0) - log_sum(row, 1));
  for (int k = 0; k < row->length; k++)
    if (row->chosen[k]) row->scores[k] += shift;
}

/* Fisher-Yates with Mulberry32, over the scores of the live keys. */
static void permute(EditedRow *row, uint32_t seed) {
  int count = 0;
  for (int k = 0; k < row->length; k++)
    if (row->live[k]) row->places[count++] = k;
  for (int last = count - 1; last > 0; last--) {
    seed += 0x6D2B79F5u;
    uint32_t mixed = (seed ^ seed >> 15) * (seed | 1);
    mixed ^= mixed + (mixed ^ mixed >> 7) * (mixed | 61);
    int place = (int)((uint64_t)(mixed ^ mixed >> 14) * (uint64_t)(last + 1) >> 32);
    double kept = row->scores[row->places[last]];
    row->scores[row->places[last]] = row->scores[row->places[place]];
    row->scores[row->places[place]] = kept;
  }
}

static void replace_row(EditedRow *row, const Edit *edit) {
  int length = row->length < edit->count ? row->length : edit->count, any_left = 0;
  for (int k = 0; k < length; k++) any_left |= edit->weights[k] > 0;
  if (!any_left) return;
  for (int k = 0; k < row->length; k++) {
    row->live[k] = k < length && edit->weights[k] > 0;
    if (row->live[k]) row->scores[k] = log(edit->weights[k]);
  }
}

static void apply_edit(EditedRow *row, const Edit *edit) {
  const int length = row->length;
  memset(row->chosen, 0, (size_t)length);
  if (edit->keys)
    for (int i = 0; i < edit->count; i++)
      if (edit->keys[i] < length) row->chosen[edit->keys[i]] = 1;
  switch (edit->op) {
    case BLOCK: block_keys(row, 0); break;
    case ONLY:
      if (count_of(row, 0, 0)) block_keys(row, 1);
      break;
    case SCALE:
      if (edit->number == 0) block_keys(row, 0);
      for (int k = 0; k < length && edit->number != 0; k++)
        if (row->chosen[k]) row->scores[k] += log(edit->number);
      break;
    case SET: set_weight(row, edit->number); break;
    case TEMPERATURE: {
      double top = highest(row);
      for (int k = 0; k < length; k++) {
        double cooled = (row->scores[k] - top) / edit->number;
        row->scores[k] = cooled > LOWEST ? cooled : LOWEST;
      }
      break;
    }
    case UNIFORM:
      for (int k = 0; k < length; k++) row->scores[k] = 0;
      break;
    case PERMUTE: permute(row, (uint32_t)edit->number); break;
    case ROW: replace_row(row, edit); break;
    case SILENCE:
      for (int k = 0; k < length; k++) row->silent[k] |= row->chosen[k];
  }
}

/* Softmax of the first `length` scores, edited; the scores stay as they are. With noise it draws a
   key, by the weights as they are before values are silenced. */
static Drawn edited_softmax(const RowEdits *edits, float *scores, float *weights, int length, int keys,
                            const float *gumbel) {
  size_t size = (size_t)length * (sizeof(double) + sizeof(int32_t) + 3);
  char *memory = malloc(size ? size : 1);
  if (!memory) abort();
  EditedRow row = {.scores = (double *)memory, .length = length};
  row.places = (int32_t *)(row.scores + length);
  row.live = (char *)(row.places + length);
  row.chosen = row.live + length, row.silent = row.chosen + length;
  memset(row.live, 1, (size_t)length);
  memset(row.silent, 0, (size_t)length);
  for (int k = 0; k < length; k++) row.scores[k] = scores[k] < LOWEST ? LOWEST : scores[k];
  for (int64_t i = 0; i < edits->count; i++) apply_edit(&row, edits->first + i);
  double top = highest(&row), total = 0;
  for (int k = 0; k < length; k++)
    if (row.live[k]) total += exp(row.scores[k] - top);
  Drawn drawn = {0, 0};
  double best = -INFINITY;
  for (int k = 0; k < length; k++) {
    float weight = row.live[k] ? (float)(exp(row.scores[k] - top) / total) : 0;
    weights[k] = row.silent[k] ? 0 : weight;
    if (!gumbel || !row.live[k]) continue;
    double noisy = row.scores[k] + gumbel[k];
    if (noisy > best) drawn = (Drawn){k, weight}, best = noisy;
  }
  for (int k = length; k < keys; k++) scores[k] = -INFINITY, weights[k] = 0;
  free(memory);
  return drawn;
}

/* One row by itself, for the tests. */
void heed_edit_row(const RowEdits *edits, float *scores, float *weights, int32_t length) {
  edited_softmax(edits, scores, weights, length, length, 0);
}
