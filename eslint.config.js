import reactHooks from 'eslint-plugin-react-hooks'
import lingui from 'eslint-plugin-lingui'
import { defineConfig, globalIgnores } from 'eslint/config'
import tseslint from 'typescript-eslint'

const pureFolders = ['src/protocol/**/*.ts', 'src/folding/**/*.ts', 'src/machines/**/*.ts', 'models/**/*.ts']
const outside = [
  'fetch',
  'WebSocket',
  'localStorage',
  'sessionStorage',
  'indexedDB',
  'window',
  'document',
  'navigator',
  'location',
  'setTimeout',
  'setInterval',
  'requestAnimationFrame',
]

const namedExports = {
  selector: 'ExportDefaultDeclaration',
  message: 'Named exports only: a thing has one name.',
}
const noHtml = {
  selector: "JSXAttribute[name.name='dangerouslySetInnerHTML']",
  message: 'Text from outside is never HTML.',
}
/** These calls contain the failure of what they load; the bundler must see `import()` and `new Worker` where they are. */
const loadedOnlyThere = [
  {
    selector:
      'ImportExpression:not(CallExpression[callee.name=/^(loadCode|lazyComponent|lazyDialog|screen)$/] ImportExpression)',
    message: 'Code is loaded by loadCode, lazyComponent or lazyDialog: the server may be away, or have a new version.',
  },
  {
    selector:
      "NewExpression[callee.name='Worker']:not(CallExpression[callee.name=/^(createWire|workerThread|openElk)$/] NewExpression)",
    message:
      'Workers are opened for createWire, workerThread or openElk: a script may not arrive, and a worker may crash.',
  },
]

export default defineConfig(
  globalIgnores(['dist/', 'build/', 'node_modules/', '.foldboard/', 'bench-results/', 'test-results/', 'docs/']),
  {
    files: ['**/*.{ts,tsx}'],
    extends: [tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/consistent-type-definitions': ['error', 'type'],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      '@typescript-eslint/no-confusing-void-expression': [
        'error',
        { ignoreArrowShorthand: true, ignoreVoidReturningFunctions: true },
      ],
      '@typescript-eslint/no-unused-vars': ['error', { ignoreRestSiblings: true, argsIgnorePattern: '^_' }],
      '@typescript-eslint/no-invalid-void-type': 'off',
      'no-restricted-syntax': ['error', namedExports, noHtml],
      'no-console': 'error',
      eqeqeq: 'error',
    },
  },
  {
    files: ['src/**/*.{ts,tsx}'],
    ignores: ['**/*.test.{ts,tsx}', 'src/loading/load-code.ts'],
    rules: {
      'no-restricted-syntax': ['error', namedExports, noHtml, ...loadedOnlyThere],
      '@typescript-eslint/no-restricted-imports': [
        'error',
        { name: 'react', importNames: ['lazy'], message: 'React keeps a failure for good: use lazyComponent.' },
      ],
    },
  },
  {
    files: pureFolders,
    ignores: ['**/*.test.ts'],
    rules: {
      'no-restricted-globals': ['error', ...outside.map(name => ({ name, message: 'Effects live in src/actors.' }))],
      'no-restricted-properties': [
        'error',
        { object: 'Date', property: 'now', message: 'Time comes in on the fact (at).' },
        { object: 'performance', property: 'now', message: 'Time comes in on the fact (at).' },
        { object: 'Math', property: 'random', message: 'Chance comes in with the event or the input.' },
      ],
      'no-restricted-syntax': [
        'error',
        namedExports,
        ...loadedOnlyThere,
        {
          selector: "NewExpression[callee.name='Date'][arguments.length=0]",
          message: 'Time comes in on the fact (at).',
        },
        {
          selector: "CallExpression[callee.name='spawn']:not(:has(Property[key.name='id']))",
          message: 'An actor without an id of its own has another address in every run, and no recording fits.',
        },
      ],
    },
  },
  { files: ['src/**/*.tsx', 'src/ui/**/*.ts'], extends: [reactHooks.configs.flat.recommended] },
  { files: ['network/main.ts', 'scripts/**', 'test/**'], rules: { 'no-console': 'off' } },
  {
    // What a person reads goes through the message catalog. Left out: the inspector, which shows names of the code; the
    // specimen; and files whose texts are formats that programs read.
    files: ['src/{ui,folding,machines,actors,journal,app}/**/*.{ts,tsx}'],
    ignores: [
      '**/*.test.{ts,tsx}',
      'src/ui/inspector/**',
      'src/ui/specimen/**',
      'src/ui/testing/**',
      'src/**/words.ts',
      'src/actors/wire/**',
      'src/**/{log-line,molecule-files,unit-csv,unit-file,system}.ts',
    ],
    plugins: { lingui },
    rules: {
      'lingui/no-unlocalized-strings': [
        'error',
        {
          useTsTypes: true,
          // One word in lower case, an identifier, a media query, a selector or a length is no text.
          ignore: [
            '^[A-Z][a-z0-9]+([A-Z][a-z0-9]*)+$',
            '^(?![A-Z])\\S+$',
            '^[A-Z0-9_-]+$',
            '^[^A-Za-z]*$',
            '^\\(?(prefers-|forced-|width )',
            '^\\[',
            'px\\)?$',
            '^noopener ',
            '^Foldboard$',
          ],
          ignoreNames: [
            { regex: { pattern: 'className|^on[A-Z]|Class$' } },
            ...[
              'key',
              'type',
              'id',
              'role',
              'name',
              'kind',
              'icon',
              'src',
              'href',
              'to',
              'rel',
              'target',
              'tone',
              'slot',
            ],
            ...[
              'placement',
              'selector',
              'description',
              'width',
              'height',
              'd',
              'viewBox',
              'transform',
              'fill',
              'style',
              'displayName',
            ],
          ],
          ignoreFunctions: [
            ...[
              'Error',
              'TypeError',
              'RegExp',
              'setup',
              'classNames',
              'emptySlot',
              'lazyComponent',
              'v.*',
              'console.*',
              'calc',
            ],
            ...[
              '*.matches',
              '*.matchMedia',
              'matchMedia',
              '*.includes',
              '*.startsWith',
              '*.endsWith',
              '*.split',
              '*.join',
              '*.send',
              '*.get',
              '*.has',
              '*.set',
            ],
            ...[
              '*.getElementById',
              '*.querySelector',
              '*.querySelectorAll',
              '*.closest',
              '*.addEventListener',
              '*.hasTag',
              '*.replace',
              '*.replaceAll',
              '*.setAttribute',
            ],
          ],
        },
      ],
    },
  },
  { files: ['**/*.config.ts'], rules: { 'no-restricted-syntax': 'off' } },
)
