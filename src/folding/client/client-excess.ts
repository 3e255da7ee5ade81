/** What a client can send too much of. A server then disconnects it for a while. */
export const EXCESSES = [
  'bytes',
  'messages',
  'state',
  'values',
  'keys',
  'list',
  'groups',
  'units',
  'additions',
  'text',
  'log',
  'history',
  'processor',
] as const

export type Excess = (typeof EXCESSES)[number]
