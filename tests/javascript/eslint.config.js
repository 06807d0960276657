// What ESLint holds the product's JavaScript to. Undefined names and wrong types are tsc's: see tsconfig.json.

import js from "@eslint/js";

const MOST_COLUMNS = 120; // as ruff allows in Python
const LONG_TERNARY = 100; // letters in which a second `? :` inside a first one is still read at once

const longNestedTernary = {
  create: (context) => ({
    ConditionalExpression(node) {
      const outer = node.parent.type !== "ConditionalExpression";
      const branches = [node.test, node.consequent, node.alternate];
      const nested = branches.some(({ type }) => type === "ConditionalExpression");
      const { length } = context.sourceCode.getText(node);
      if (outer && nested && length >= LONG_TERNARY) {
        context.report({ node, message: `Nested conditional of ${length} letters: use if, or a name for a part.` });
      }
    },
  }),
};

export default [
  js.configs.recommended,
  {
    files: ["**/*.js"],
    plugins: { workbook: { rules: { "long-nested-ternary": longNestedTernary } } },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      "no-undef": "off",
      "array-callback-return": "error",
      "eqeqeq": "error",
      // Names that say nothing of what they hold.
      "id-denylist": ["error", "one", "part", "set", "tmp"],
      "max-len": ["error", { code: MOST_COLUMNS, ignoreUrls: true }],
      "max-lines": ["error", { max: 300, skipBlankLines: true, skipComments: true }],
      "no-implicit-coercion": "error",
      "no-loop-func": "error",
      "no-promise-executor-return": "error",
      "no-unneeded-ternary": "error",
      "no-unused-vars": ["error", { ignoreRestSiblings: true }],
      "no-use-before-define": ["error", { functions: false, variables: false }],
      "no-useless-return": "error",
      "no-var": "error",
      "object-shorthand": "error",
      "prefer-const": ["error", { destructuring: "all" }],
      "prefer-template": "error",
      "require-await": "error",
      "workbook/long-nested-ternary": "error",
    },
  },
  { ignores: ["**/node_modules/"] },
  { files: ["autograder/marking/lab/*.js"], languageOptions: { sourceType: "script" } },
];
