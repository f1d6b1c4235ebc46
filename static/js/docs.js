// Draws the documentation of the API. Everything it needs comes from this server.
// @ts-check

const api = /** @type {HTMLElement} */ (document.getElementById("api"));
const { dataset, classList } = document.documentElement;
const dark = matchMedia("(prefers-color-scheme: dark)");
/** The class by which Swagger UI knows the dark theme. */
const follow = () =>
  classList.toggle("dark-mode", dataset.theme ? dataset.theme === "dark" : dark.matches);
follow();
dark.addEventListener("change", follow);

const swagger = /** @type {any} */ (globalThis).SwaggerUIBundle;

swagger({
  url: api.dataset.openapi,
  domNode: api,
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  tryItOutEnabled: true,
  validatorUrl: null, // the validator is on the internet
});
