import { t } from '@lingui/core/macro'
import { useSelector } from '../../hooks/use-selector.ts'
import { useState, type KeyboardEvent } from 'react'
import type { LogSnapshot } from '../../../machines/screens/log/log.machine.ts'
import { canReset, selectFoundCount } from '../../../machines/screens/log/log.selectors.ts'
import { IconButton } from '../../parts/actions/button.tsx'
import { Checkbox } from '../../parts/fields/checkbox.tsx'
import { SearchField } from '../../parts/fields/search-field.tsx'
import { useSystem } from '../../hooks/system-context.ts'
import { LogMenus } from './log-menus.tsx'
import { searchName } from './log-path.ts'
import styles from './log-toolbar.module.css'

function Search() {
  const { log } = useSystem()
  const text = useSelector(log, ({ context }) => context.text)
  const [isOpen, setOpen] = useState(false)
  const name = isOpen ? undefined : searchName(text)
  const step = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
    log.send({ type: event.shiftKey ? 'log.previous' : 'log.next' })
  }
  return (
    <div
      className={styles['search']}
      data-filter
      data-named={name !== undefined}
      title={name === undefined ? undefined : text}
      onFocus={() => {
        setOpen(true)
        log.send({ type: 'log.prepareSearch' })
      }}
      onBlur={() => setOpen(false)}
      onKeyDown={step}
    >
      <SearchField
        label={t`Search the log`}
        placeholder={t`Search (regular expression)`}
        value={name ?? text}
        onChange={changed => log.send({ type: 'log.setText', text: changed })}
      />
    </div>
  )
}

function LevelFilters() {
  const { log } = useSystem()
  const errors = useSelector(log, ({ context }) => context.errors)
  const warnings = useSelector(log, ({ context }) => context.warnings)
  const isResettable = useSelector(log, canReset)
  return (
    <>
      <Checkbox isSelected={errors} onChange={wanted => log.send({ type: 'log.filter', errors: wanted })}>
        {t`Errors`}
      </Checkbox>
      <Checkbox isSelected={warnings} onChange={wanted => log.send({ type: 'log.filter', warnings: wanted })}>
        {t`Warnings`}
      </Checkbox>
      <IconButton
        icon="reset"
        label={t`Reset search`}
        blockedBecause={isResettable ? undefined : t`There is no search to reset.`}
        onPress={() => log.send({ type: 'log.reset' })}
      />
    </>
  )
}

function hasMatches(snapshot: LogSnapshot): boolean | undefined {
  const count = selectFoundCount(snapshot)
  return count === undefined ? undefined : count > 0
}

function MatchButtons() {
  const { log } = useSystem()
  const has = useSelector(log, hasMatches)
  if (has === undefined) return undefined
  const noMatches = has ? undefined : t`No matches.`
  return (
    <div role="group" aria-label={t`Matches`} className={styles['steps']}>
      <IconButton
        icon="chevron-up"
        label={t`Previous match`}
        hint={t`Previous match (N)`}
        blockedBecause={noMatches}
        onPress={() => log.send({ type: 'log.previous' })}
      />
      <IconButton
        icon="chevron-down"
        label={t`Next match`}
        hint={t`Next match (n)`}
        blockedBecause={noMatches}
        onPress={() => log.send({ type: 'log.next' })}
      />
    </div>
  )
}

export function LogToolbar() {
  return (
    <div role="search" aria-label={t`Log`} className={styles['toolbar']}>
      <Search />
      <div className={styles['menus']}>
        <LogMenus />
      </div>
      <div className={styles['levels']}>
        <LevelFilters />
      </div>
      <MatchButtons />
    </div>
  )
}
