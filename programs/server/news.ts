import type { Excess } from '../../src/folding/client/client-excess.ts'
import type { StoredIncident } from '../../src/folding/incidents/incident-schema.ts'
import type { Config } from './config/schema.ts'
import type { ClientStatus } from './machines/server/server.selectors.ts'
import type { UnitTable } from './store/schema.ts'

export type ListedClient = ClientStatus & {
  readonly number: number
  readonly address: string
  readonly commands: Config['machines'][number]['commands']
  readonly tags: readonly string[]
  /** Its name in the settings, or in the account. */
  readonly givenName: string | undefined
  /** Of what it sent more than a client does, while it is left alone for that. */
  readonly excess: Excess | undefined
}

export type ServerNews =
  | { readonly type: 'machine'; readonly machine: ListedClient }
  | { readonly type: 'units'; readonly units: readonly UnitTable[] }
  | { readonly type: 'incidents'; readonly incidents: readonly StoredIncident[] }
  /** Schedules, or what they decide, changed. */
  | { readonly type: 'schedules' }
  /** Tags or saved views changed. */
  | { readonly type: 'shared' }

/** What pages and programs of this server are told. */
export function createNews() {
  const listeners = new Set<(event: ServerNews) => void>()
  return {
    publish: (event: ServerNews): void => {
      for (const listen of listeners) listen(event)
    },
    /** Calls back with news until the returned function is called. */
    follow: (listener: (event: ServerNews) => void): (() => void) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
