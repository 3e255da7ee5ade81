import { useSystem } from './system-context.ts'

type ConnectionCheck = {
  /** Why this client cannot be reached. */
  readonly checkClient: (address: string) => void
  /** Why the client on this computer, or one of the account, cannot be reached. */
  readonly checkPage: () => void
}

/** Opens the dialog that finds out why a client cannot be reached. */
export function useConnectionCheck(): ConnectionCheck {
  const { connectionCheck, fleet } = useSystem()
  return {
    checkClient: address => connectionCheck.send({ type: 'check.open', address, subject: 'client' }),
    checkPage: () =>
      connectionCheck.send({
        type: 'check.open',
        address: fleet.getSnapshot().context.localAddress,
        subject: 'page',
      }),
  }
}
