import { chosenLocales } from '../../folding/text/format.ts'
import { useState } from 'react'
import { GridList, GridListItem } from 'react-aria-components/GridList'
import { ListLayout, Virtualizer } from 'react-aria-components/Virtualizer'
import type { Mask } from '../../journal/mask.ts'
import { Button } from '../parts/actions/button.tsx'
import { SearchField } from '../parts/fields/search-field.tsx'
import { Switch } from '../parts/fields/switch.tsx'
import { useCopy } from '../hooks/use-copy.ts'
import styles from './inspector.module.css'
import { ValuesView } from './values/values-view.tsx'
import { addressLabel, filterEvents, type ReceivedEvent } from './watch/received-events.ts'

type Props = {
  readonly received: readonly ReceivedEvent[]
  readonly mask: Mask
  /** Of the selected actor. */
  readonly address: string
}

const ROW = 44

function formatClock(at: number): string {
  return new Date(at).toLocaleTimeString(chosenLocales(), {
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    fractionalSecondDigits: 3,
    hour12: false,
  })
}

/** Received events, newest first. */
export function EventsView({ received, mask, address }: Props) {
  const [query, setQuery] = useState('')
  const [isNarrow, setNarrow] = useState(false)
  const [held, setHeld] = useState<readonly ReceivedEvent[]>()
  const [clearedAt, setCleared] = useState(0)
  const [chosen, setChosen] = useState<ReceivedEvent>()
  const copying = useCopy()
  const last = received.at(-1)?.number ?? 0
  const missed = held === undefined ? 0 : last - (held.at(-1)?.number ?? last)
  const shown = filterEvents(held ?? received, query, isNarrow ? address : undefined)
    .filter(({ number }) => number > clearedAt)
    .toReversed()
  return (
    <div className={styles['stack']}>
      <div className="row gap-2-3 type-3">
        <SearchField label="Filter events" placeholder="Filter by type or actor" value={query} onChange={setQuery} />
        <Switch isSelected={isNarrow} onChange={setNarrow}>
          Only {addressLabel(address)}
        </Switch>
        <Button
          isSmall
          icon={held === undefined ? 'do-pause' : 'do-fold'}
          onPress={() => setHeld(held === undefined ? received : undefined)}
        >
          {held === undefined ? 'Pause' : 'Resume'}
        </Button>
        <Button isSmall onPress={() => setCleared(last)}>
          Clear
        </Button>
        <span role="status" className="quiet type-2">
          {copying.outcome !== ''
            ? copying.outcome
            : held === undefined
              ? ''
              : missed === 0
                ? 'Paused'
                : `Paused; ${missed} new`}
        </span>
      </div>
      <Virtualizer layout={ListLayout} layoutOptions={{ rowSize: ROW }}>
        <GridList
          aria-label="Events"
          items={shown}
          selectionMode="single"
          selectedKeys={chosen === undefined ? [] : [chosen.number]}
          onSelectionChange={keys => {
            const key = keys === 'all' ? undefined : [...keys][0]
            setChosen(shown.find(({ number }) => number === key))
          }}
          className="bordered round-2 overflow-auto no-outline"
          renderEmptyState={() => (
            <p className={styles['note']}>{query === '' && !isNarrow ? 'No events yet.' : 'No events match.'}</p>
          )}
        >
          {({ number, at, from, to, event: { type } }) => (
            <GridListItem id={number} textValue={`${type} to ${addressLabel(to)}`} className={styles['event'] ?? ''}>
              <span className="cut medium">{type}</span>
              <time className={styles['at']}>{formatClock(at)}</time>
              <span className={styles['way']}>
                {addressLabel(from)} → {addressLabel(to)}
              </span>
            </GridListItem>
          )}
        </GridList>
      </Virtualizer>
      {chosen === undefined ? undefined : (
        <section aria-label={`Event ${chosen.event.type}`} className={styles['payload']}>
          <ValuesView
            key={chosen.number}
            label={chosen.event.type}
            value={chosen.event}
            clean={mask.clean}
            onCopy={copying.copy}
          />
        </section>
      )}
    </div>
  )
}
