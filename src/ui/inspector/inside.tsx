import { useState } from 'react'
import { Tabs } from '../parts/actions/tabs.tsx'
import { ActorPane } from './actor-pane.tsx'
import { ActorState } from './actor-state.tsx'
import styles from './inspector.module.css'
import { SendForm } from './send/send-form.tsx'
import { StreamView } from './stream-view.tsx'
import { useMoment } from './use-watch.ts'
import { ContextView } from './values/context-view.tsx'
import { machineSnapshotOf } from './watch/actor-tree.ts'
import { addressWords } from './watch/stream.ts'
import type { Watch } from './watch/watch.ts'

type Props = { readonly watch: Watch; readonly isReplay: boolean }

/** All actors, and all about one of them. */
export const Inside = ({ watch, isReplay }: Props) => {
  const { tree, heard } = useMoment(watch)
  const [address, setAddress] = useState('')
  const [tab, setTab] = useState('state')
  const ref = watch.actorAt(address)
  const snapshot = ref === undefined ? undefined : machineSnapshotOf(ref)
  const gone = <p className={styles['note']}>This actor is not there any more. Choose another one.</p>
  const effect = (
    <p className={styles['note']}>
      This is an effect: it speaks with the outside and has neither states nor a context. What it reports is among the
      events.
    </p>
  )
  const none = ref === undefined ? gone : effect
  return (
    <div className={styles['inside']}>
      <ActorPane tree={tree} selected={address} onSelect={setAddress} />
      <section aria-label={`About ${addressWords(address)}`} className={styles['about']}>
        <Tabs
          label={addressWords(address)}
          selected={tab}
          onChange={setTab}
          tabs={[
            {
              id: 'state',
              label: 'State',
              content:
                snapshot === undefined ? (
                  none
                ) : (
                  <ActorState key={address} snapshot={snapshot} taken={watch.taken(address)} />
                ),
            },
            {
              id: 'context',
              label: 'Context',
              content:
                snapshot === undefined ? (
                  none
                ) : (
                  <ContextView key={address} context={snapshot.context as unknown} mask={watch.mask} />
                ),
            },
            {
              id: 'events',
              label: 'Events',
              content: <StreamView heard={heard} mask={watch.mask} address={address} />,
            },
            {
              id: 'send',
              label: 'Send',
              content:
                snapshot === undefined ? (
                  none
                ) : (
                  <SendForm
                    key={address}
                    snapshot={snapshot}
                    isReplay={isReplay}
                    onSend={event => watch.send(address, event)}
                  />
                ),
            },
          ]}
        />
      </section>
    </div>
  )
}
