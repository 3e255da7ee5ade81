/** Holds the table of who may import whom. A run that saw no modules has checked nothing, and fails. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import { parseSync } from 'vite'

/**
 * @typedef {{
 *   name: string,
 *   comment: string,
 *   from: { path: string, pathNot?: string | readonly string[] },
 *   to: { path?: string, pathNot?: readonly string[], isCode?: boolean, isDevelopment?: boolean },
 * }} Rule
 */

const OURS = '^(src|programs|models|test|scripts)/'
/** @param {string} name */
function room(name) {
  return `^src/${name}/`
}

/**
 * A folder may import only what the table in ARCHITECTURE.md allows.
 * @param {string} name @param {string} from @param {readonly string[]} allowed @param {string} comment @returns {Rule}
 */
function mayImportOnly(name, from, allowed, comment) {
  return {
    name,
    comment,
    from: { path: from, pathNot: '[.]test[.]tsx?$' },
    to: { path: OURS, pathNot: [from, ...allowed] },
  }
}

/**
 * Types of a folder may be imported, its code may not.
 * @param {string} name @param {string} from @param {string} to @param {string} comment @returns {Rule}
 */
function onlyTypesOf(name, from, to, comment) {
  return {
    name,
    comment,
    from: { path: from, pathNot: '[.]test[.]tsx?$' },
    to: { path: to, isCode: true },
  }
}

/** @type {readonly Rule[]} */
const RULES = [
  mayImportOnly(
    'protocol-stands-alone',
    room('protocol'),
    [],
    'The language spoken with the outside also runs in programs/network/ and in a worker.',
  ),
  mayImportOnly(
    'folding-knows-protocol',
    room('folding'),
    [room('protocol')],
    'What data means must be testable without a machine or a screen.',
  ),
  mayImportOnly(
    'machines-are-pure',
    room('machines'),
    [room('folding'), room('protocol')],
    'A statechart that imports an effect cannot be replayed.',
  ),
  ...Object.entries({
    shared: [],
    resource: ['shared'],
    account: ['shared', 'resource'],
    units: ['connection', 'shared'],
    incidents: ['shared'],
    connection: ['shared', 'account'],
    fleet: ['shared', 'account', 'connection'],
    screens: ['shared', 'connection'],
    server: ['shared'],
  }).map(([folder, below]) => ({
    name: `machines-${folder}-imports-downwards`,
    comment: `Folders of machines have an order (src/machines/README.md); ${folder} may import ${below.join(', ') || 'none of the others'}.`,
    from: { path: `^src/machines/${folder}/`, pathNot: '[.]test[.]tsx?$' },
    to: { path: '^src/machines/', pathNot: [folder, ...below].map(name => `^src/machines/${name}/`) },
  })),
  mayImportOnly(
    'loading-knows-its-faults',
    room('loading'),
    [room('folding')],
    'Whoever loads code or starts a worker does it here.',
  ),
  mayImportOnly(
    'actors-report-facts',
    room('actors'),
    [room('folding'), room('protocol'), room('machines'), room('loading')],
    'An actor knows what it reports, not who listens.',
  ),
  onlyTypesOf(
    'actors-see-types-of-machines',
    room('actors'),
    room('machines'),
    'An actor needs the events of a machine, never its code.',
  ),
  mayImportOnly(
    'journal-watches-machines',
    room('journal'),
    [room('machines'), room('protocol')],
    'The journal records events of any machine by their types, and replaces what is marked where it is decoded.',
  ),
  onlyTypesOf(
    'journal-sees-types-of-machines',
    room('journal'),
    `${room('machines')}(?!shared/deferred-logic)`,
    'Recording must not depend on what is recorded, but for how a machine is loaded.',
  ),
  mayImportOnly(
    'viewer-draws-molecules',
    room('viewer'),
    [room('folding/molecule')],
    'The renderer knows molecules, but neither React nor XState.',
  ),
  mayImportOnly(
    'ui-shows-snapshots',
    room('ui'),
    [room('machines'), room('folding'), room('protocol'), room('journal'), room('viewer'), room('loading')],
    'A screen reads snapshots and sends events; effects are the actors’.',
  ),
  onlyTypesOf(
    'ui-sees-types-of-protocol',
    room('ui'),
    room('protocol'),
    'What the wire says reaches a screen through folding.',
  ),
  mayImportOnly('host-stands-alone', '^programs/host/', [], 'What every program for Node needs knows none of them.'),
  mayImportOnly(
    'network-speaks-protocol',
    '^programs/network/',
    [room('protocol'), '^src/folding/(client/allocation|molecule/vectors)[.]ts$', '^programs/host/'],
    'The embedded network is a peer, not a part, of the dashboard; how clients share out CPUs and GPUs, both must know, and vectors are written once.',
  ),
  mayImportOnly(
    'server-runs-machines-in-node',
    '^programs/server/',
    [
      room('protocol'),
      room('folding'),
      room('machines'),
      // The watch of incidents and its texts, which need nothing of a browser.
      '^src/actors/incidents/(watcher|digest|incident-schema)[.]ts$',
      // An account's relay: the same encrypted sessions.
      '^src/actors/network/(api|client-link|relay-socket|host-ping)[.]ts$',
      '^src/actors/account/account-tasks[.]ts$',
      '^src/actors/wire/(wire|inline-port|socket|hub.types)[.]ts$',
      '^programs/host/',
      // For `--demo`.
      '^programs/network/network[.]ts$',
    ],
    'The server is a composition root beside src/app: the same machines, with actors for Node.',
  ),
  {
    name: 'server-machines-are-pure',
    comment: 'A statechart that imports an effect cannot be replayed.',
    from: { path: '^programs/server/machines/', pathNot: '[.]test[.]tsx?$' },
    to: { path: OURS, pathNot: ['^programs/server/machines/', room('protocol'), room('folding'), room('machines')] },
  },
  mayImportOnly('models-know-nothing', '^models/', [], 'A model that imports the product agrees with its mistakes.'),
  mayImportOnly(
    'scripts-stand-alone',
    '^scripts/(?!vite/)',
    ['^scripts/vite/'],
    'Set-up runs before anything is installed.',
  ),
  {
    name: 'dashboard-knows-no-program',
    comment: 'Whoever changes the dashboard needs to know no program beside it.',
    from: { path: '^(src|models)/', pathNot: '[.]test[.]tsx?$' },
    to: { path: '^programs/' },
  },
  {
    name: 'nothing-imports-simulation',
    comment: 'The product has no branches for its simulation.',
    from: { path: '^(src|programs/(host|network|server)|models|test)/' },
    to: { path: '^programs/simulation/' },
  },
  {
    name: 'only-tests-import-test',
    comment: 'The product must build without its tests.',
    from: { path: '^(src|programs/(host|network|server)|models)/', pathNot: '[.]test[.]tsx?$' },
    to: { path: '^test/' },
  },
  {
    name: 'react-only-in-ui',
    comment: 'Everything below the screens runs without a screen.',
    from: { path: '^(src|programs/(host|network|server)|models)/', pathNot: [room('ui'), room('app')] },
    to: {
      path: 'node_modules/(@types/)?(react|react-dom|react-router|react-router-dom|react-aria|react-aria-components|react-stately|@xstate/react|@tanstack)/',
    },
  },
  {
    name: 'ogl-only-in-viewer',
    comment: 'One renderer, one room.',
    from: { path: '^(src|programs/(host|network|server)|models)/', pathNot: [room('viewer')] },
    to: { path: 'node_modules/ogl/' },
  },
  {
    name: 'programs-declare-their-packages',
    comment:
      'What runs in Node is not bundled: `dependencies` of package.json are installed with it, `devDependencies` are not.',
    from: {
      path: '^programs/(host|network|server)/',
      pathNot: ['[.]test[.]ts$', '/test-[^/]*[.]ts$', '^programs/network/dev(-pages)?[.]ts$'],
    },
    to: { isDevelopment: true, isCode: true },
  },
]

const root = resolve(import.meta.dirname, '..')
const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const FOLDERS = ['src', 'programs', 'models', 'test', 'scripts']

const files = new Set(
  FOLDERS.flatMap(folder =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map(name =>
      `${folder}/${name}`.replaceAll('\\', '/'),
    ),
  ),
)

/** What a module imports, and whether only types of it. @param {string} path @returns {readonly { request: string, isType: boolean }[]} */
function importsOf(path) {
  const code = readFileSync(join(root, path), 'utf8')
  const { module, comments } = parseSync(path, code)
  /** @param {readonly { isType: boolean }[]} entries */
  const areTypes = entries => entries.length > 0 && entries.every(({ isType }) => isType)
  return [
    ...module.staticImports.map(({ moduleRequest, entries }) => ({
      request: moduleRequest.value,
      isType: areTypes(entries),
    })),
    ...module.staticExports.flatMap(({ entries }) => {
      const request = entries[0]?.moduleRequest?.value
      return request === undefined ? [] : [{ request, isType: areTypes(entries) }]
    }),
    ...module.dynamicImports.flatMap(({ moduleRequest: { start, end } }) => {
      const [, request] = /^['"](.+)['"]$/.exec(code.slice(start, end)) ?? []
      return request === undefined ? [] : [{ request, isType: false }]
    }),
    ...[...code.matchAll(/\bimport\(['"]([^'"]+)['"]\)/g)].flatMap(({ 1: request = '', index }) =>
      module.dynamicImports.some(({ start }) => start === index) ||
      comments.some(({ start, end }) => start < index && index < end)
        ? []
        : [{ request, isType: true }],
    ),
  ]
}

/** The path below the repository of what is imported; undefined where there is none. @param {string} from @param {string} request */
function resolved(from, request) {
  const [name = ''] = request.split('?')
  if (isBuiltin(name)) return name
  if (name.startsWith('virtual:')) return name
  if (name.startsWith('.')) {
    const path = join(dirname(from), name).replaceAll('\\', '/')
    return files.has(path) || existsSync(join(root, path)) ? path : undefined
  }
  const parts = name.split('/')
  const found = parts.slice(0, name.startsWith('@') ? 2 : 1).join('/')
  const typed = `@types/${found.replace('@', '').replace('/', '__')}`
  return [found, typed].some(folder => existsSync(join(root, 'node_modules', folder)))
    ? `node_modules/${name}/`
    : undefined
}

/** @param {string | readonly string[] | undefined} patterns @param {string} path */
function matches(patterns, path) {
  return [patterns ?? []].flat().some(pattern => new RegExp(pattern).test(path))
}

/** @type {Map<string, readonly { to: string, isType: boolean }[]>} */
const graph = new Map()
/** @type {string[]} */
const faults = []
for (const path of [...files].filter(name => /\.(?:tsx?|mjs)$/.test(name)).sort()) {
  graph.set(
    path,
    importsOf(path).flatMap(({ request, isType }) => {
      const to = resolved(path, request)
      if (to === undefined) faults.push(`no-unresolvable: ${path} → ${request}`)
      return to === undefined ? [] : [{ to, isType }]
    }),
  )
}

for (const { name, comment, from, to } of RULES)
  for (const [path, imports] of graph) {
    if (!matches(from.path, path) || matches(from.pathNot, path)) continue
    for (const { to: target, isType } of imports) {
      if (to.path !== undefined && !matches(to.path, target)) continue
      if (matches(to.pathNot, target) || (to.isCode === true && isType)) continue
      const [, packageName = ''] = /^node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(target) ?? []
      if (to.isDevelopment === true && !Object.hasOwn(devDependencies, packageName)) continue
      faults.push(`${name}: ${path} → ${target}\n  ${comment}`)
    }
  }

// A cycle, by types either, has no first file to read: what two files need has a file of its own.
const done = new Set()
/** @param {string} path @param {readonly string[]} way */
function lookForCycles(path, way) {
  if (way.includes(path)) faults.push(`no-cycles: ${[...way.slice(way.indexOf(path)), path].join(' → ')}`)
  if (done.has(path)) return
  done.add(path)
  for (const { to } of graph.get(path) ?? []) lookForCycles(to, [...way, path])
}
for (const path of graph.keys()) lookForCycles(path, [])

const ours = [...graph.keys()].filter(path => path.startsWith('src/')).length
const imports = [...graph.values()].reduce((sum, found) => sum + found.length, 0)
for (const fault of new Set(faults)) console.error(fault)
console.log(`${ours} modules of src, ${imports} imports, ${new Set(faults).size} violations`)
process.exit(faults.length > 0 || ours === 0 || imports === 0 ? 1 : 0)
