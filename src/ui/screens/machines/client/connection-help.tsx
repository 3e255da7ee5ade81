import { t } from '@lingui/core/macro'
import type { ClientSnapshot } from '../../../../machines/connection/client/client.machine.ts'
import { selectBadges } from '../../../../machines/connection/client/client.selectors.ts'
import { useConnectionDialogs } from '../../../hooks/use-connection-dialogs.ts'
import { Button } from '../../../parts/actions/button.tsx'
import { useClient, useClientSelector } from '../../../hooks/client-context.ts'
import styles from './connection-help.module.css'

/** host:port of a client that this page connects to by itself, while that does not work. */
function selectLostAddress(snapshot: ClientSnapshot): string | undefined {
  return selectBadges(snapshot).includes('disconnected') ? snapshot.context.address : undefined
}

/** The way out of a direct connection that does not work. */
export function ConnectionHelp() {
  const client = useClient()
  const { checkClient } = useConnectionDialogs()
  const address = useClientSelector(selectLostAddress)
  if (address === undefined) return null
  return (
    <div className={styles['help']}>
      <p>{t`There is no connection to the client at ${address}.`}</p>
      <div className="flex wrap gap-2">
        <Button isSmall kind="primary" onPress={() => checkClient(address)}>
          {t`Find out why`}
        </Button>
        <Button isSmall onPress={() => client.send({ type: 'client.reconnect' })}>
          {t`Try again`}
        </Button>
      </div>
    </div>
  )
}
