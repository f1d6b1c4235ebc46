/** A store of the browser, with these texts. */
export const textsOf = (values = {}) => ({
  values,
  getItem: (key) => values[key] ?? null,
  setItem: (key, value) => (values[key] = value),
  removeItem: (key) => delete values[key],
});
