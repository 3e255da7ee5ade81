import { useState, type ReactNode } from 'react'
import type { AnyMachineSnapshot } from 'xstate'
import { Tabs } from '../parts/actions/tabs.tsx'
import { ActorPane } from './actor-pane.tsx'
import { ActorState } from './actor-state.tsx'
import styles from './inspector.module.css'
import { SendForm } from './send/send-form.tsx'
import { EventsView } from './events-view.tsx'
import { useWatchSnapshot } from './use-watch.ts'
import { ContextView } from './values/context-view.tsx'
import { machineSnapshotOf } from './watch/actor-tree.ts'
import { addressLabel } from './watch/received-events.ts'
import type { Watch } from './watch/watch.ts'
import { LeftToRight } from '../parts/left-to-right.tsx'

type Props = { readonly watch: Watch; readonly isReplay: boolean }

/** The tree of actors, and details of the selected one. */
export function InspectorPanes({ watch, isReplay }: Props) {
  const { tree, received } = useWatchSnapshot(watch)
  const [address, setAddress] = useState('')
  const [tab, setTab] = useState('state')
  const ref = watch.actorAt(address)
  const snapshot = ref === undefined ? undefined : machineSnapshotOf(ref)
  const gone = <p className={styles['note']}>This actor no longer exists. Select another one.</p>
  const effect = (
    <p className={styles['note']}>
      This actor is an effect, such as a socket or a timer. It has neither states nor a context; the events that it
      sends are listed under Events.
    </p>
  )
  const ofMachine = (show: (shown: AnyMachineSnapshot) => ReactNode): ReactNode =>
    snapshot === undefined ? (ref === undefined ? gone : effect) : show(snapshot)
  return (
    <LeftToRight>
      <div dir="ltr" className={styles['inside']}>
        <ActorPane tree={tree} selected={address} onSelect={setAddress} />
        <section aria-label={`About ${addressLabel(address)}`} className={styles['about']}>
          <Tabs
            label={addressLabel(address)}
            selected={tab}
            onChange={setTab}
            tabs={[
              {
                id: 'state',
                label: 'State',
                content: ofMachine(shown => (
                  <ActorState key={address} snapshot={shown} transitions={watch.lastTransitions(address)} />
                )),
              },
              {
                id: 'context',
                label: 'Context',
                content: ofMachine(shown => (
                  <ContextView key={address} context={shown.context as unknown} mask={watch.mask} />
                )),
              },
              {
                id: 'events',
                label: 'Events',
                content: <EventsView received={received} mask={watch.mask} address={address} />,
              },
              {
                id: 'send',
                label: 'Send',
                content: ofMachine(shown => (
                  <SendForm
                    key={address}
                    snapshot={shown}
                    isReplay={isReplay}
                    onSend={event => watch.send(address, event)}
                  />
                )),
              },
            ]}
          />
        </section>
      </div>
    </LeftToRight>
  )
}
