import { t } from '@lingui/core/macro'
import { useSelector } from '../hooks/use-selector.ts'
import { useId } from 'react'
import { selectConnectError } from '../../machines/screens/connect/connect.selectors.ts'
import { Button } from '../parts/actions/button.tsx'
import { TextField } from '../parts/fields/text-field.tsx'
import { Dialog } from '../parts/overlays/dialog.tsx'
import { useSystem } from '../hooks/system-context.ts'

/** Asks for the address of a client, or for confirmation when a link contained one. */
export function ConnectDialog() {
  const { connect, directClients } = useSystem()
  const form = useId()
  const address = useSelector(connect, ({ context }) => context.address)
  const error = useSelector(connect, selectConnectError)
  const isForeign = useSelector(connect, ({ context }) => context.isForeign)
  const cancel = (): void => connect.send({ type: 'connect.cancel' })
  const showList = (): void => {
    cancel()
    directClients.send({ type: 'directClients.open' })
  }
  return (
    <Dialog
      title={isForeign ? t`Connect to this client?` : t`Connect to a client`}
      onLeave={cancel}
      isForm
      isQuestion={isForeign}
      footer={
        <>
          {isForeign ? undefined : <Button onPress={showList}>{t`All direct clients`}</Button>}
          <Button onPress={cancel} autoFocus={isForeign}>
            {t`Cancel`}
          </Button>
          <Button kind="primary" type="submit" form={form}>
            {t`Connect`}
          </Button>
        </>
      }
    >
      <form
        id={form}
        noValidate
        className="stack gap-4"
        onSubmit={event => {
          event.preventDefault()
          connect.send({ type: 'connect.submit' })
        }}
      >
        <p>
          {isForeign
            ? t`A link asks to connect to the client at this address. Connect only to machines that you know.`
            : t`Connect to a client on this computer or in your local network, without an account.`}
        </p>
        <TextField
          label={t`Address`}
          value={address}
          onChange={typed => connect.send({ type: 'connect.edit', address: typed })}
          autoFocus={!isForeign}
          autoComplete="off"
          inputMode="url"
          placeholder="127.0.0.1:7396"
          description={t`Host name or IP address; add :port if it is not 7396.`}
          error={error}
          isCode
        />
      </form>
    </Dialog>
  )
}
