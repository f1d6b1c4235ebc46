// The linter of the page's scripts: the recommended rules, and the arrows between its folders.
import js from "@eslint/js";
import imports from "eslint-plugin-import-x";
import globals from "globals";

/** The folders of `static/js`, the highest first: each imports from those below it alone. */
const LAYERS = [
  ["pages", "notebook"],
  ["shell"],
  ["export"],
  ["views"],
  ["draw", "import"],
  ["core"],
];

const zones = LAYERS.flatMap((folders, layer) =>
  folders.flatMap((target) => {
    const above = [...LAYERS.slice(0, layer).flat(), ...folders.filter((each) => each !== target)];
    return above.map((from) => ({
      target: `./static/js/${target}`,
      from: `./static/js/${from}`,
      message: `${target} imports nothing from ${from}.`,
    }));
  }),
);

/** The forms of import and export that the server reads, line by line (output/page/modules.py). */
const FORMS = {
  "ImportDeclaration:not(:has(ImportSpecifier)), ImportDefaultSpecifier": "Import names in braces.",
  "ExportAllDeclaration, ExportDefaultDeclaration, ExportNamedDeclaration[declaration=null]":
    "Export functions, classes and constants where they are declared.",
  "ExportNamedDeclaration > VariableDeclaration[kind!='const']": "Export constants alone.",
  "ImportExpression[source.type!='Literal']": "Import a module by its name.",
  "MemberExpression[object.type='ImportExpression']": "Await a module, or return it.",
};

export default [
  { ignores: ["static/js/**/*.d.ts", "node_modules", ".venv"] },
  js.configs.recommended,
  {
    plugins: { "import-x": imports },
    rules: {
      "import-x/no-cycle": "error",
      "import-x/no-restricted-paths": ["error", { zones }],
      "import-x/no-unresolved": "error",
      "no-unused-vars": ["error", { varsIgnorePattern: "^_", ignoreRestSiblings: true }],
    },
  },
  { files: ["static/js/**"], languageOptions: { globals: globals.browser } },
  {
    files: ["static/js/**"],
    ignores: ["static/js/notebook/**"], // one file, which a notebook runs as it is
    rules: {
      "no-restricted-syntax": [
        "error",
        ...Object.entries(FORMS).map(([selector, message]) => ({ selector, message })),
      ],
    },
  },
  { files: ["tests/js/**", "eslint.config.js"], languageOptions: { globals: globals.node } },
  { files: ["tests/js/**"], rules: { "no-control-regex": "off" } }, // texts that XML cannot hold
];
