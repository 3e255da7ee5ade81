import { plural, t } from '@lingui/core/macro'
import { useEffect, useState, type ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { formatPoints } from '../../../../folding/text/format.ts'
import { selectFleetPpd, selectTotals } from '../../../../machines/connection/fleet/fleet.selectors.ts'
import { useSystem } from '../../../hooks/system-context.ts'
import { useSelector } from '../../../hooks/use-selector.ts'
import { Pressable } from '../../../parts/actions/button.tsx'
import buttons from '../../../parts/actions/button.module.css'
import { classNames } from '../../../parts/class-names.ts'
import { Icon } from '../../../parts/icons/icon.tsx'
import { isTypingIn, shortcutOf } from '../../../shell/shortcuts.ts'
import { FleetActions } from './fleet-actions.tsx'
import { FleetSummary, TotalsAge } from './fleet-summary.tsx'
import { FleetToolbar } from './fleet-toolbar.tsx'
import styles from './fleet-top.module.css'
import { MoreMenu } from './more-menu.tsx'
import { PpdSparkline } from './ppd-sparkline.tsx'
import { useFleetLayout, ViewMenu } from './view-menu.tsx'

/** What is folded on phones. */
type Folded = 'totals' | 'tools'

/** The totals in one line, for phones. */
function Line() {
  const { clock, fleet } = useSystem()
  const count = useSelector(fleet, snapshot => selectTotals(snapshot).clients)
  const ppd = useSelector(clock, () => selectFleetPpd(fleet.getSnapshot()))
  return (
    <>
      {plural(count, { one: '# machine', other: '# machines' })} · <strong>{formatPoints(ppd)}</strong> PPD
      <TotalsAge />
    </>
  )
}

/** What is folded and open. The shortcut of the search opens the tools, so that their field can have the focus. */
function useFolded() {
  const [open, setOpen] = useState<Folded>()
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (shortcutOf(event, isTypingIn(event.target)) === 'filter') flushSync(() => setOpen('tools'))
    }
    document.addEventListener('keydown', onKeyDown, { capture: true })
    return () => document.removeEventListener('keydown', onKeyDown, { capture: true })
  }, [])
  const opener = (part: Folded, children: ReactNode) => (
    <Pressable
      className={classNames(buttons['button'], buttons['quiet'])}
      isOpen={open === part}
      onPress={() => setOpen(open === part ? undefined : part)}
    >
      <span className={buttons['label']}>{children}</span>
      <Icon name={open === part ? 'chevron-up' : 'chevron-down'} />
    </Pressable>
  )
  return { open, opener }
}

type Props = {
  /** The clients that match the filter; undefined when there is no filter. */
  readonly ids: readonly string[] | undefined
  /** Below the tools. */
  readonly children: ReactNode
}

/** Totals, tools and actions of all clients. On phones totals and tools are folded, and the actions are at the bottom. */
export function FleetTop({ ids, children }: Props) {
  const { open, opener } = useFolded()
  const isSingle = useFleetLayout() === 'single'
  return (
    <div className={styles['top']} data-open={open}>
      <div className={styles['bar']}>
        {opener('totals', <Line />)}
        {opener('tools', t`View`)}
      </div>
      <div className={styles['totals']}>
        <FleetSummary />
        <PpdSparkline />
      </div>
      <div className={styles['tools']}>
        <div className={styles['folded']}>
          <FleetToolbar />
          <ViewMenu />
          <MoreMenu />
        </div>
        {isSingle ? undefined : <FleetActions ids={ids} />}
        {children}
      </div>
    </div>
  )
}
