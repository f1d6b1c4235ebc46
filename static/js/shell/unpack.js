// Runs in a page in one file: unpacks its modules, adds them to the page, and starts the first one.
// A classic script, because browsers accept no import map once a module has begun to load.
void (async () => {
  const held = document.getElementById("packed");
  const bytes = Uint8Array.from(atob(held?.textContent ?? ""), (each) => each.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  const { entry, modules, contents } = await new Response(stream).json();
  const script = (/** @type {string} */ type, /** @type {unknown} */ value, id = "") =>
    document.head.append(
      Object.assign(document.createElement("script"), {
        type,
        id,
        textContent: JSON.stringify(value),
      }),
    );
  const addresses = Object.entries(modules).map(([name, text]) => [
    name,
    `data:text/javascript,${encodeURIComponent(text)}`,
  ]);
  held?.remove();
  if (contents) script("application/json", contents, "taken");
  script("importmap", { imports: Object.fromEntries(addresses) });
  await import(entry);
})();
