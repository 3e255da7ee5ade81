import lingui from 'eslint-plugin-lingui'
import { defineConfig, globalIgnores } from 'eslint/config'
import parser from '@typescript-eslint/parser'

const pureFolders = ['src/protocol/**/*.ts', 'src/folding/**/*.ts', 'src/machines/**/*.ts', 'models/**/*.ts']
const namedExports = {
  selector: 'ExportDefaultDeclaration',
  message: 'Named exports only.',
}
/** Engines parse them when they are called, and traces and tools name them. Arrow functions are for what is passed along. */
const functionDeclarations = {
  selector:
    ':matches(Program, ExportNamedDeclaration) > VariableDeclaration > VariableDeclarator[id.typeAnnotation=undefined] > ArrowFunctionExpression.init',
  message: 'Declare it: function name() {}',
}
const noHtml = {
  selector: "JSXAttribute[name.name='dangerouslySetInnerHTML']",
  message: 'Use ForeignHtml: HTML from outside has to be sanitized.',
}
/** They take the locale of the browser, not that of the page. */
const localeOfThePage = {
  selector: 'CallExpression[callee.property.name=/^(localeCompare|toLocale\\w*String)$/][arguments.length<2]',
  message: 'Use compareTexts, formatNumber or a format of times: they follow the chosen locale.',
}
/** The types permit it. Loops over generators and database cursors are for all browsers of the README. */
const noLoopsOverStreams = {
  selector: "ForOfStatement[await=true]:not([right.callee.name='linesOf'], [right.callee.property.name='objectStore'])",
  message: 'Read a stream with getReader(): not all browsers of the README loop over one.',
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
      "NewExpression[callee.name='Worker']:not(CallExpression[callee.name=/^(createWire|workerThread|openElk|createStillPictures|createSurfaceComputer)$/] NewExpression, Property[key.name='openSearchWorker'] NewExpression)",
    message:
      'Use createWire, workerThread, openElk, createStillPictures or createSurfaceComputer: the script may fail to load, and a worker may crash.',
  },
]

const titleCase = ['^[A-Z][A-Za-z0-9]*( [A-Z][A-Za-z0-9]*)*$']
const causesOfPauses = [
  '^Paused due too many failed Work Units\\.$',
  '^(Waiting for (idle system|GPU detection)|Pausing on battery|Resources not available|Shutting down)$',
]

/**
 * Options of `lingui/no-unlocalized-strings`.
 *
 * @param {{ names?: string[], texts?: string[] }} exempt names of properties, and patterns of texts, that users do not see
 */
function textOptions({ names = [], texts = [] } = {}) {
  return {
    // A lower-case word, an identifier, a media query, a selector or a length is no text.
    ignore: [
      '^(?![A-Z])\\S+$',
      '^[A-Z0-9_-]+$',
      '^[^A-Za-z]*$',
      '^\\(?(prefers-|forced-|width )',
      '^\\[',
      'px\\)?$',
      '^noopener ',
      '^team deletion$',
      '^Foldboard$',
      // Names of classes of errors.
      '^[A-Z][A-Za-z]+Error$',
      ...texts,
    ],
    ignoreNames: [
      { regex: { pattern: 'className|^on[A-Z]|Class$' } },
      ...['key', 'type', 'id', 'role', 'kind', 'icon', 'src', 'href', 'to', 'rel', 'target', 'tone', 'slot'],
      ...['placement', 'selector', 'width', 'height', 'd', 'viewBox', 'transform', 'fill', 'style', 'displayName'],
      ...names,
    ],
    ignoreFunctions: [
      ...[
        'Error',
        'TypeError',
        'RegExp',
        'setup',
        'classNames',
        'actorPlaceholder',
        'totalled',
        'v.*',
        'console.*',
        'calc',
      ],
      ...[
        '*.matches',
        '*.matchMedia',
        'matchMedia',
        'useMedia',
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
  }
}

export default defineConfig(
  globalIgnores(['dist/', 'build/', 'node_modules/', '.foldboard/', 'bench-results/', 'test-results/', 'docs/']),
  {
    files: ['**/*.{ts,tsx}'],
    languageOptions: { parser },
    rules: {
      'no-restricted-syntax': ['error', namedExports, functionDeclarations, noHtml],
    },
  },
  {
    files: ['src/**/*.{ts,tsx}'],
    ignores: ['**/*.test.{ts,tsx}', 'src/loading/{load-code,texts}.ts', 'src/app/start.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        namedExports,
        functionDeclarations,
        noHtml,
        localeOfThePage,
        noLoopsOverStreams,
        ...loadingOnlyThrough,
      ],
    },
  },
  {
    files: pureFolders,
    ignores: ['**/*.test.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        namedExports,
        functionDeclarations,
        localeOfThePage,
        noLoopsOverStreams,
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
    // Texts for users go through the message catalog. Exempt: the inspector, which shows names from the code,
    // and files whose texts are formats that programs read.
    files: ['src/{ui,folding,machines,actors,journal,app}/**/*.{ts,tsx}'],
    ignores: [
      '**/*.test.{ts,tsx}',
      'src/ui/inspector/**',
      'src/ui/translate/**',
      'src/**/words.ts',
      'src/folding/text/locales.ts',
      'src/actors/wire/**',
      'src/**/{gpu-names,log-line,molecule-files,power-csv,unit-csv,unit-file,hardware-power,system}.ts',
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
    rules: { 'lingui/no-unlocalized-strings': ['error', textOptions({ names: ['description'] })] },
  },
  {
    // Names of columns, causes and hardware as the protocol has them. Texts for users are sentences in these files.
    files: [
      'src/folding/client/{client,client-list,details,group,resources}.ts',
      'src/folding/unit/{column-sets,foreign-csv,pause-reasons,resource-meanings,unit-cells,unit-columns,unit-meaning,unit-status}.ts',
      'src/folding/{shared/validation,address/web-address}.ts',
      'src/journal/links.ts',
    ],
    rules: { 'lingui/no-unlocalized-strings': ['error', textOptions({ texts: [...titleCase, ...causesOfPauses] })] },
  },
  {
    // Names that say nothing alone, and cannot be searched for. Properties may be part of what is stored or sent.
    files: ['**/*.{ts,tsx,js,mjs}'],
    rules: {
      'id-match': [
        'error',
        '^(?!(?:anew|deed|given|heard|mends|own|programme|surroundings|taken|tell|told)$)',
        { properties: false, onlyDeclarations: true, ignoreDestructuring: false },
      ],
    },
  },
  { files: ['**/*.config.ts'], rules: { 'no-restricted-syntax': ['error', functionDeclarations] } },
  { files: ['**/*.{js,mjs,cjs}'], rules: { 'no-restricted-syntax': ['error', functionDeclarations] } },
)
