import type { LateCommand } from '../../machines/app/app.actors.ts'
import { useSystem } from './system-context.ts'

type ConnectionDialogs = {
  readonly connect: () => void
  /** Why this client cannot be reached. */
  readonly checkClient: (address: string) => void
  /** Why the client on this computer, or one of the account, cannot be reached. */
  readonly checkPage: () => void
}

/** Opens the dialogs about connections, whose code is loaded then. */
export function useConnectionDialogs(): ConnectionDialogs {
  const { app, fleet } = useSystem()
  const open = (first: LateCommand): void => app.send({ type: 'app.want', part: 'connections', first })
  const check = (address: string, subject: 'client' | 'page'): void =>
    open({ to: 'connectionCheck', event: { type: 'check.open', address, subject } })
  return {
    connect: () => open({ to: 'connect', event: { type: 'connect.ask' } }),
    checkClient: address => check(address, 'client'),
    checkPage: () => check(fleet.getSnapshot().context.localAddress, 'page'),
  }
}
