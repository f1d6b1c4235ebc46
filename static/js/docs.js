// Draws the documentation of the API. Everything it needs comes from this server.
// @ts-check

const api = /** @type {HTMLElement} */ (document.getElementById("api"));
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
