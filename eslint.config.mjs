/** Rules that know the types: a forgotten await or a forgotten case is a money bug. */
import js from '@eslint/js';
import tseslint from 'typescript-eslint';

const NODE_GLOBALS = ['process', 'console', 'Buffer', 'URL', 'setTimeout', 'module', 'require', '__dirname'];

export default tseslint.config(
  {
    ignores: [
      'node_modules/',
      'dist/',
      'coverage/',
      '.data/',
      'sdk/dist/',
      'sdk/src/schema.ts',
      'sdk/src/operations.ts',
    ],
  },
  js.configs.recommended,
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.strictTypeChecked],
    languageOptions: {
      parserOptions: { project: './tsconfig.check.json', tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      // Our objects are records of functions; none of them uses `this`.
      '@typescript-eslint/unbound-method': 'off',
      // `void` marks a promise that nobody waits for, and an answer that nobody needs.
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
    },
  },
  {
    files: ['src/**/*.ts', 'tools/**/*.ts', 'examples/**/*.ts'],
    ignores: ['src/runtime/config.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector: "MemberExpression[object.name='process'][property.name='env']",
          message: 'Only src/runtime/config.ts reads the environment.',
        },
      ],
    },
  },
  {
    files: ['test/**/*.ts'],
    rules: {
      // Answers of the API are read as a partner would: without types.
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
    },
  },
  {
    files: ['**/*.{js,cjs,mjs}'],
    languageOptions: { globals: Object.fromEntries(NODE_GLOBALS.map((name) => [name, 'readonly'])) },
  },
);
