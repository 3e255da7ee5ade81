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
  message: 'Named exports only.',
}
const noHtml = {
  selector: "JSXAttribute[name.name='dangerouslySetInnerHTML']",
  message: 'Use ForeignHtml: HTML from outside has to be sanitized.',
}
/** These functions handle loading failures; the bundler needs `import()` and `new Worker` written at the call. */
const loadingOnlyThrough = [
  {
    selector:
      'ImportExpression:not(CallExpression[callee.name=/^(loadCode|lazyComponent|lazyDialog|screen)$/] ImportExpression)',
    message: 'Use loadCode, lazyComponent or lazyDialog: the server may be unreachable, or serve a new version.',
  },
  {
    selector:
      "NewExpression[callee.name='Worker']:not(CallExpression[callee.name=/^(createWire|workerThread|openElk)$/] NewExpression, Property[key.name='openSearchWorker'] NewExpression)",
    message: 'Use createWire, workerThread or openElk: the script may fail to load, and a worker may crash.',
  },
]

/** Options of `lingui/no-unlocalized-strings`. `exemptNames`: further properties whose strings are not shown to users. */
const textOptions = (...exemptNames) => ({
  useTsTypes: true,
  // A lower-case word, an identifier, a media query, a selector or a length is no text.
  ignore: [
    '^(?![A-Z])\\S+$',
    '^[A-Z0-9_-]+$',
    '^[^A-Za-z]*$',
    '^\\(?(prefers-|forced-|width )',
    '^\\[',
    'px\\)?$',
    '^noopener ',
    '^Foldboard$',
    // Names of classes of errors.
    '^[A-Z][A-Za-z]+Error$',
  ],
  ignoreNames: [
    { regex: { pattern: 'className|^on[A-Z]|Class$' } },
    ...['key', 'type', 'id', 'role', 'kind', 'icon', 'src', 'href', 'to', 'rel', 'target', 'tone', 'slot'],
    ...['placement', 'selector', 'width', 'height', 'd', 'viewBox', 'transform', 'fill', 'style', 'displayName'],
    ...exemptNames,
  ],
  ignoreFunctions: [
    ...['Error', 'TypeError', 'RegExp', 'setup', 'classNames', 'actorPlaceholder', 'v.*', 'console.*', 'calc'],
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
})

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
      'no-restricted-syntax': ['error', namedExports, noHtml, ...loadingOnlyThrough],
      '@typescript-eslint/no-restricted-imports': [
        'error',
        { name: 'react', importNames: ['lazy'], message: 'Use lazyComponent: React never retries a failed load.' },
      ],
    },
  },
  {
    files: pureFolders,
    ignores: ['**/*.test.ts'],
    rules: {
      'no-restricted-globals': ['error', ...outside.map(name => ({ name, message: 'Effects belong in src/actors.' }))],
      'no-restricted-properties': [
        'error',
        { object: 'Date', property: 'now', message: 'Take the time from the event (at).' },
        { object: 'performance', property: 'now', message: 'Take the time from the event (at).' },
        { object: 'Math', property: 'random', message: 'Take randomness from the event or the input.' },
      ],
      'no-restricted-syntax': [
        'error',
        namedExports,
        ...loadingOnlyThrough,
        {
          selector: "NewExpression[callee.name='Date'][arguments.length=0]",
          message: 'Take the time from the event (at).',
        },
        {
          selector: "CallExpression[callee.name='spawn']:not(:has(Property[key.name='id']))",
          message:
            'Give spawned actors an id: recordings address actors by id, and a generated one differs in every run.',
        },
      ],
    },
  },
  {
    files: ['src/**/*.tsx', 'src/ui/**/*.ts'],
    extends: [reactHooks.configs.flat.recommended],
    // It names what the React Compiler skips, and the build does not use that.
    rules: { 'react-hooks/incompatible-library': 'off' },
  },
  { files: ['network/run.ts', 'scripts/**', 'test/**'], rules: { 'no-console': 'off' } },
  {
    // Texts for users go through the message catalog. Exempt: the inspector, which shows names from the code; the specimen;
    // and files whose texts are formats that programs read.
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
      'lingui/no-unlocalized-strings': ['error', textOptions()],
    },
  },
  {
    // Descriptions of states are documentation.
    files: ['src/machines/**/*.ts'],
    ignores: ['**/*.test.ts'],
    plugins: { lingui },
    rules: { 'lingui/no-unlocalized-strings': ['error', textOptions('description')] },
  },
  { files: ['**/*.config.ts'], rules: { 'no-restricted-syntax': 'off' } },
)
