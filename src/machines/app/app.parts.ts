/** Late actors by the part whose code brings them: when a screen asks for it or sends one of them something. */
export const parts = {
  /** At once where a session is stored. */
  account: ['account', 'relay', 'broadcaster', 'signIn', 'verify', 'reset'],
  bulk: ['bulk', 'processors', 'idleTimes'],
  /** Of clients, which start it themselves: no actor of the app. */
  clientSettings: [],
  /** Their dialogs. */
  connections: ['connect', 'directClients', 'connectionCheck'],
  history: ['history', 'credits'],
  incidents: ['incidents'],
  log: ['log'],
  power: ['power'],
  projects: ['projects'],
  series: ['series'],
  viewer: ['viewer', 'molecules'],
  records: ['records'],
  /** Only on a page that a server of Foldboard serves. */
  server: ['serverSession', 'scheduleEditor', 'serverAlerts', 'serverShared'],
} as const

export type PartName = keyof typeof parts
export const partNames = Object.keys(parts) as readonly PartName[]
