import { plural, t } from '@lingui/core/macro'
import { shallowEqual, useSelector } from '../../hooks/use-selector.ts'
import { useId, useLayoutEffect, useRef, useState } from 'react'
import { writeClientList } from '../../../folding/client/client-list.ts'
import { LONGEST_CLIENT_NAME, MAX_DIRECT_CLIENTS, type DirectClient } from '../../../folding/client/direct-clients.ts'
import { downloadFile } from '../../../loading/download-file.ts'
import { selectAddress } from '../../../machines/connection/client/client.selectors.ts'
import { idOfAddress } from '../../../machines/connection/fleet/fleet.context.ts'
import {
  isConnectionShown,
  selectClientRef,
  selectDefaultIds,
  selectDirectClients,
  selectReport,
} from '../../../machines/connection/fleet/fleet.selectors.ts'
import { selectAddError } from '../../../machines/screens/direct-clients/direct-clients.selectors.ts'
import { Button, IconButton } from '../../parts/actions/button.tsx'
import { StatusMark } from '../../parts/display/status-mark.tsx'
import { TextField } from '../../parts/fields/text-field.tsx'
import { Dialog } from '../../parts/overlays/dialog.tsx'
import { useCopy } from '../../hooks/use-copy.ts'
import { useSystem } from '../../hooks/system-context.ts'
import lists from '../dialog-list.module.css'
import styles from './direct-clients.module.css'

/** Whether it is connected, and what its client is called. */
function ConnectionState({ id }: { readonly id: string }) {
  const { fleet } = useSystem()
  const { isConnected, machine, isShown } = useSelector(
    fleet,
    snapshot => {
      const report = selectReport(id)(snapshot)
      return {
        isConnected: report?.isConnected === true,
        machine: report?.machine === undefined ? undefined : report.name,
        isShown: isConnectionShown(id)(snapshot),
      }
    },
    shallowEqual,
  )
  return (
    <span className="flex wrap all-columns gap-1-3 quiet type-2">
      <StatusMark
        icon={isConnected ? 'done' : 'offline'}
        tone={isConnected ? 'running' : 'unknown'}
        text={isConnected ? t`Connected` : t`Disconnected`}
      />
      {machine === undefined ? undefined : (
        <span>{isShown ? machine : t`${machine}, shown over another connection`}</span>
      )}
    </span>
  )
}

type RowProps = {
  readonly client: DirectClient
  readonly position: number
  readonly count: number
  readonly onMove: (client: DirectClient, by: number) => void
  readonly onRemove: (client: DirectClient) => void
}

function Row({ client, position, count, onMove, onRemove }: RowProps) {
  const { fleet } = useSystem()
  const { address, name = '' } = client
  const [typed, setTyped] = useState<string>()
  const save = (): void => {
    if (typed !== undefined) fleet.send({ type: 'fleet.nameClient', address, name: typed })
    setTyped(undefined)
  }
  const label = name === '' ? address : name
  return (
    <li className={lists['row']} data-address={address}>
      <form
        className={styles['name']}
        onSubmit={event => {
          event.preventDefault()
          save()
        }}
      >
        <TextField
          label={t`Name of ${address}`}
          isLabelHidden
          value={typed ?? name}
          onChange={text => setTyped(text.slice(0, LONGEST_CLIENT_NAME))}
          onLeave={save}
          placeholder={t`No name`}
          autoComplete="off"
        />
      </form>
      <bdi dir="ltr" className={styles['address']}>
        {address}
      </bdi>
      <ConnectionState id={idOfAddress(address)} />
      <span className={styles['tools']}>
        <span data-move="up">
          <IconButton
            icon="arrow-up"
            label={t`Move ${label} up`}
            blockedBecause={position === 0 ? t`It is the first.` : undefined}
            onPress={() => onMove(client, -1)}
          />
        </span>
        <span data-move="down">
          <IconButton
            icon="arrow-down"
            label={t`Move ${label} down`}
            blockedBecause={position === count - 1 ? t`It is the last.` : undefined}
            onPress={() => onMove(client, 1)}
          />
        </span>
        <span data-move="remove">
          <IconButton icon="trash" label={t`Remove ${label}`} onPress={() => onRemove(client)} />
        </span>
      </span>
    </li>
  )
}

/** The connections that the page's settings name; they cannot be changed here. */
function Defaults() {
  const { fleet } = useSystem()
  const ids = useSelector(fleet, selectDefaultIds, shallowEqual)
  const listed = ids.map(id => {
    const client = selectClientRef(id)(fleet.getSnapshot())
    return { id, address: client === undefined ? undefined : selectAddress(client.getSnapshot()) }
  })
  if (listed.length === 0) return null
  return (
    <section className="stack gap-2" aria-label={t`From the settings of this page`}>
      <h3 className="strong">{t`From the settings of this page`}</h3>
      <ul className="grid line-below">
        {listed.map(({ id, address }) => (
          <li key={id} className={lists['row']}>
            <bdi dir="ltr" className={styles['address']}>
              {address}
            </bdi>
            <ConnectionState id={id} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function AddForm({ clients }: { readonly clients: readonly DirectClient[] }) {
  const { directClients } = useSystem()
  const address = useSelector(directClients, ({ context }) => context.address)
  const name = useSelector(directClients, ({ context }) => context.name)
  const error = useSelector(directClients, selectAddError)
  const isFull = clients.length >= MAX_DIRECT_CLIENTS
  return (
    <form
      noValidate
      className={styles['add']}
      aria-label={t`Add a client`}
      onSubmit={event => {
        event.preventDefault()
        if (!isFull) directClients.send({ type: 'directClients.add', addresses: clients.map(client => client.address) })
      }}
    >
      <TextField
        label={t`Address`}
        value={address}
        onChange={typed => directClients.send({ type: 'directClients.edit', address: typed })}
        autoComplete="off"
        inputMode="url"
        placeholder="192.168.0.7:7396"
        error={error}
        isCode
      />
      <TextField
        label={t`Name (optional)`}
        value={name}
        onChange={typed => directClients.send({ type: 'directClients.edit', name: typed })}
        autoComplete="off"
      />
      <Button
        icon="plus"
        type="submit"
        blockedBecause={
          isFull ? t`The list is full: it has ${plural(MAX_DIRECT_CLIENTS, { other: '# clients' })}.` : undefined
        }
      >
        {t`Add`}
      </Button>
    </form>
  )
}

const FILE_NAME = 'foldboard-clients.csv'

/** The list itself, and what can be done with it. */
export function ClientList() {
  const { fleet, directClients } = useSystem()
  const clients = useSelector(fleet, selectDirectClients)
  const list = useRef<HTMLUListElement>(null)
  const heading = useId()
  // A row that moves loses the focus, and so does one that is removed.
  const [focused, setFocused] = useState<{ readonly address: string; readonly part: string }>()
  const [moved, setMoved] = useState('')
  const { copy, outcome } = useCopy()
  useLayoutEffect(() => {
    if (focused === undefined) return
    const row = list.current?.querySelector(`[data-address="${CSS.escape(focused.address)}"]`)
    row?.querySelector<HTMLElement>(`[data-move="${focused.part}"] button`)?.focus()
  }, [focused, clients])
  const move = (client: DirectClient, by: number): void => {
    fleet.send({ type: 'fleet.moveClient', address: client.address, by })
    setFocused({ address: client.address, part: by < 0 ? 'up' : 'down' })
    const place = clients.indexOf(client) + by + 1
    setMoved(t`${client.name ?? client.address} is now ${place} of ${clients.length}.`)
  }
  const remove = (client: DirectClient): void => {
    const at = clients.indexOf(client)
    const next = clients[at + 1] ?? clients[at - 1]
    fleet.send({ type: 'fleet.disconnect', id: idOfAddress(client.address) })
    setFocused(next === undefined ? undefined : { address: next.address, part: 'remove' })
    setMoved(t`${client.name ?? client.address} was removed.`)
  }
  const close = (): void => directClients.send({ type: 'directClients.close' })
  const nothing = clients.length === 0 ? t`The list is empty.` : undefined
  return (
    <Dialog
      title={t`Direct clients`}
      onLeave={close}
      isForm
      footer={
        <>
          <Button icon="upload" onPress={() => directClients.send({ type: 'directClients.showImport' })}>
            {t`Import`}
          </Button>
          <Button icon="copy" blockedBecause={nothing} onPress={() => copy(t`List`, writeClientList(clients))}>
            {t`Copy`}
          </Button>
          <Button
            icon="download"
            blockedBecause={nothing}
            onPress={() => downloadFile(new Blob([writeClientList(clients)], { type: 'text/csv' }), FILE_NAME)}
          >
            {t`Export CSV`}
          </Button>
          <Button kind="primary" onPress={close}>
            {t({ message: 'Done', context: 'button' })}
          </Button>
        </>
      }
    >
      <p>
        {t`Clients that this page connects to without an account. Names and order are kept in this browser. One client under several addresses is one machine.`}
      </p>
      <Defaults />
      <section className="stack gap-2" aria-labelledby={heading}>
        <h3 id={heading} className="strong">{t`Added in this browser`}</h3>
        {clients.length === 0 ? (
          <p className={lists['quiet']}>{t`None yet.`}</p>
        ) : (
          <ul ref={list} className="grid line-below">
            {clients.map((client, position) => (
              <Row
                key={client.address}
                client={client}
                position={position}
                count={clients.length}
                onMove={move}
                onRemove={remove}
              />
            ))}
          </ul>
        )}
        <AddForm clients={clients} />
        <p role="status" className={lists['quiet']}>
          {outcome === '' ? moved : outcome}
        </p>
      </section>
    </Dialog>
  )
}
