/**
 * The rules of this project that oxlint does not have: forms of syntax, by selectors, and texts that are no messages. Which files
 * each is for stands in .oxlintrc.json.
 */
import lingui from 'eslint-plugin-lingui'

/**
 * A rule that reports each part of the syntax tree that one of these selectors matches.
 *
 * @param {readonly { selector: string, message: string }[]} forms
 */
function noSyntax(...forms) {
  return {
    create: (/** @type {{ report: (problem: object) => void }} */ context) =>
      Object.fromEntries(
        forms.map(({ selector, message }) => [
          selector,
          (/** @type {object} */ node) => context.report({ node, message }),
        ]),
      ),
  }
}

/** The rule of Lingui with these options. @param {object} options */
function noTexts(options) {
  const rule = lingui.rules['no-unlocalized-strings']
  return {
    meta: { ...rule.meta, schema: false },
    create: (/** @type {object} */ context) => rule.create(Object.create(context, { options: { value: [options] } })),
  }
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
/** A failure names an index, and not which of them differs. */
const oneFactAtATime = {
  selector:
    'MemberExpression[property.name=/^(toEqual|toStrictEqual|toMatchObject)$/] > CallExpression[callee.name="expect"] > ArrayExpression.arguments[elements.length>1]:not(:has(> SpreadElement))',
  message: 'Expect one fact at a time, or an object that names them.',
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

/** @param {{ names?: string[], texts?: string[] }} exempt names of properties, and patterns of texts, that users do not see */
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

export default {
  meta: { name: 'foldboard' },
  rules: {
    'named-exports': noSyntax({ selector: 'ExportDefaultDeclaration', message: 'Named exports only.' }),
    /** Engines parse them when they are called, and traces and tools name them. Arrow functions are for what is passed along. */
    'function-declarations': noSyntax({
      selector:
        ':matches(Program, ExportNamedDeclaration) > VariableDeclaration > VariableDeclarator:not([id.typeAnnotation.type]) > ArrowFunctionExpression.init',
      message: 'Declare it: function name() {}',
    }),
    /** They say nothing alone, and cannot be searched for. Keys of objects may be part of what is stored or sent. */
    'clear-names': noSyntax({
      selector: `:matches(VariableDeclarator > Identifier.id, FunctionDeclaration > Identifier, ObjectPattern > Property > Identifier.value, ArrayPattern > Identifier, ImportSpecifier > Identifier.local, TSPropertySignature > Identifier.key)[name=/^(anew|deed|given|heard|mends|own|programme|surroundings|taken|tell|told)$/]`,
      message: 'Name what it is: this word says nothing alone.',
    }),
    'one-fact': noSyntax(oneFactAtATime),
    'no-html': noSyntax({
      selector: "JSXAttribute[name.name='dangerouslySetInnerHTML']",
      message: 'Use ForeignHtml: HTML from outside has to be sanitized.',
    }),
    'page-syntax': noSyntax(localeOfThePage, noLoopsOverStreams, ...loadingOnlyThrough),
    'pure-syntax': noSyntax(
      {
        selector: "NewExpression[callee.name='Date'][arguments.length=0]",
        message: 'Take the time from the event (at).',
      },
      {
        selector: "CallExpression[callee.name='spawn']:not(:has(Property[key.name='id']))",
        message:
          'Give spawned actors an id: recordings address actors by id, and a generated one differs in every run.',
      },
    ),
    'no-texts': noTexts(textOptions()),
    /** Descriptions of states are documentation. */
    'no-texts-of-machines': noTexts(textOptions({ names: ['description'] })),
    /** Names of columns, causes and hardware as the protocol has them. Texts for users are sentences in these files. */
    'no-texts-but-names': noTexts(textOptions({ texts: [...titleCase, ...causesOfPauses] })),
  },
}
