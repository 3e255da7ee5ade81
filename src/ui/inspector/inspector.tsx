import { useEffect, useLayoutEffect, useState } from 'react'
import { IconButton } from '../parts/actions/button.tsx'
import { Tabs } from '../parts/actions/tabs.tsx'
import { usePlayer } from '../journal/journal-context.ts'
import { useSystem } from '../system-context.ts'
import { useMedia } from '../use-media.ts'
import { ActorPane } from './actor-pane.tsx'
import { ActorState } from './actor-state.tsx'
import type { InspectorLook } from './inspector-host.tsx'
import styles from './inspector.module.css'
import { largestSize, ResizeHandle } from './resize-handle.tsx'
import { SendForm } from './send/send-form.tsx'
import { StreamView } from './stream-view.tsx'
import { useMoment, useWatch } from './use-watch.ts'
import { ContextView } from './values/context-view.tsx'
import { machineSnapshotOf } from './watch/actor-tree.ts'
import { addressWords } from './watch/stream.ts'
import type { Watch } from './watch/watch.ts'

type Props = { readonly look: InspectorLook; readonly onLook: (look: InspectorLook) => void; readonly onClose: () => void }

const NARROW = '(width <= 800px)'
/** The header still has its room beside the panel. */
const BROAD = '(width >= 1280px)'
const SMALLEST = 300

/** What goes on inside, while it goes on: every actor, what it holds, what it heard, and what it can be told. */
export const Inspector = ({ look, onLook, onClose }: Props) => {
  const watch = useWatch(useSystem().app)
  const isSheet = useMedia(NARROW)
  const isReplay = usePlayer() !== undefined
  const canStandAside = useMedia(BROAD)
  const dock = canStandAside ? look.dock : 'bottom'
  const size = Math.min(look.size[dock], largestSize(dock, SMALLEST))
  useRoom(isSheet ? undefined : dock, size)
  useReturn()
  return (
    <aside
      aria-label="Inspector"
      className={styles['panel']}
      data-dock={isSheet ? 'sheet' : dock}
      {...(isReplay ? { 'data-replay': '' } : {})}
      style={isSheet ? {} : dock === 'side' ? { inlineSize: size } : { blockSize: size }}
    >
      {isSheet ? undefined : <ResizeHandle dock={dock} size={size} smallest={SMALLEST} onResize={next => onLook({ ...look, size: { ...look.size, [dock]: next } })} />}
      <div className={styles['head']}>
        <h2 className={styles['title']}>Inspector</h2>
        {isSheet || !canStandAside ? undefined : (
          <IconButton
            icon={dock === 'side' ? 'arrow-down' : 'chevron-right'}
            label={dock === 'side' ? 'Dock at the bottom' : 'Dock at the side'}
            placement="bottom"
            onPress={() => onLook({ ...look, dock: dock === 'side' ? 'bottom' : 'side' })}
          />
        )}
        <IconButton icon="close" label="Close the inspector" placement="bottom" autoFocus onPress={onClose} />
      </div>
      <Inside watch={watch} isReplay={isReplay} />
    </aside>
  )
}

/** What is docked takes its room from the page. */
const useRoom = (dock: InspectorLook['dock'] | undefined, size: number): void => {
  useLayoutEffect(() => {
    if (dock === undefined) return
    const name = dock === 'side' ? '--dock-side' : '--dock-bottom'
    document.documentElement.style.setProperty(name, `${size}px`)
    return () => {
      document.documentElement.style.removeProperty(name)
    }
  }, [dock, size])
}

/** Who had the focus before has it again afterwards. */
const useReturn = (): void => {
  const [before] = useState(() => document.activeElement)
  useEffect(
    () => () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    },
    [before],
  )
}

const Inside = ({ watch, isReplay }: { readonly watch: Watch; readonly isReplay: boolean }) => {
  const { tree, heard } = useMoment(watch)
  const [address, setAddress] = useState('')
  const [tab, setTab] = useState('state')
  const ref = watch.actorAt(address)
  const snapshot = ref === undefined ? undefined : machineSnapshotOf(ref)
  const gone = <p className={styles['note']}>This actor is not there any more. Choose another one.</p>
  const effect = <p className={styles['note']}>This is an effect: it speaks with the outside and has neither states nor a context. What it reports is among the events.</p>
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
            { id: 'state', label: 'State', content: snapshot === undefined ? none : <ActorState key={address} snapshot={snapshot} taken={watch.taken(address)} /> },
            { id: 'context', label: 'Context', content: snapshot === undefined ? none : <ContextView key={address} context={snapshot.context as unknown} mask={watch.mask} /> },
            { id: 'events', label: 'Events', content: <StreamView heard={heard} mask={watch.mask} address={address} /> },
            {
              id: 'send',
              label: 'Send',
              content: ref === undefined || snapshot === undefined ? none : <SendForm key={address} snapshot={snapshot} isReplay={isReplay} onSend={event => ref.send(event)} />,
            },
          ]}
        />
      </section>
    </div>
  )
}
