const ours = '^(src|programs|models|test|scripts)/'
function room(name) {
  return `^src/${name}/`
}

/** A folder may import only what the table in ARCHITECTURE.md allows. */
function mayImportOnly(name, from, allowed, comment) {
  return {
    name,
    comment,
    from: { path: from, pathNot: '[.]test[.]tsx?$' },
    to: { path: ours, pathNot: [from, ...allowed] },
  }
}

/** Types of a folder may be imported, its code may not. */
function onlyTypesOf(name, from, to, comment) {
  return {
    name,
    comment,
    from: { path: from, pathNot: '[.]test[.]tsx?$' },
    to: { path: to, dependencyTypesNot: ['type-only'] },
  }
}

const forbidden = [
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
    room('machines'),
    'Recording must not depend on what is recorded.',
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
    [room('protocol'), '^src/folding/(client/allocation|molecule/(vectors|near-places))[.]ts$', '^programs/host/'],
    'The embedded network is a peer, not a part, of the dashboard; how clients share out CPUs and GPUs, both must know, and vectors and what is near are written once.',
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
      // What units were credited with.
      '^src/actors/resources/credits[.]ts$',
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
    to: { path: ours, pathNot: ['^programs/server/machines/', room('protocol'), room('folding'), room('machines')] },
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
    to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
  },
  {
    name: 'no-cycles',
    comment: 'A cycle, by types either, has no first file to read: what two files need has a file of its own.',
    from: { path: ours },
    to: { circular: true },
  },
  {
    name: 'no-unresolvable',
    comment: 'An import that cannot be resolved is not checked by any other rule.',
    from: { path: ours },
    to: { couldNotResolve: true, pathNot: '[?]worker|^virtual:' },
  },
]

module.exports = {
  forbidden: forbidden.map(rule => ({ ...rule, severity: 'error' })),
  options: {
    doNotFollow: { path: 'node_modules' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'types', 'default'],
      extensions: ['.ts', '.tsx', '.js', '.json', '.css'],
    },
  },
}
