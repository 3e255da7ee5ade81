import { plural, t } from '@lingui/core/macro'
import { useSelector } from '../../hooks/use-selector.ts'
import { downloadFile } from '../../../loading/download-file.ts'
import { formatIso } from '../../../folding/text/times.ts'
import { wrapsLog } from '../../../machines/app/preferences/preferences.selectors.ts'
import { selectNow } from '../../../machines/app/clock/clock.selectors.ts'
import { selectName } from '../../../machines/connection/client/client.selectors.ts'
import { selectShown } from '../../../machines/screens/log/log.selectors.ts'
import { MenuButton } from '../../parts/overlays/menu-button.tsx'
import type { MenuEntry } from '../../parts/overlays/menu-popover.tsx'
import { useSystem } from '../../hooks/system-context.ts'
import { useCopy } from '../../hooks/use-copy.ts'
import { useClient } from '../../hooks/client-context.ts'
import { useLogText } from './use-log-copy.ts'

const views: readonly MenuEntry[] = [
  { id: 'wrap', label: t`Wrap long lines` },
  { id: 'local', label: t`Local time instead of UTC` },
]

function ViewMenu() {
  const { preferences } = useSystem()
  const wraps = useSelector(preferences, wrapsLog)
  const isLocal = useSelector(preferences, ({ context }) => context.shown.localLogTime)
  return (
    <MenuButton
      label={t`View options`}
      icon="rows"
      entries={() => views}
      chosen={[...(wraps ? ['wrap'] : []), ...(isLocal ? ['local'] : [])]}
      choosesSeveral
      onChoose={id =>
        preferences.send({
          type: 'preferences.change',
          change: id === 'wrap' ? { wrapsLog: !wraps } : { localLogTime: !isLocal },
        })
      }
    />
  )
}

function findList(): HTMLElement | null {
  return document.querySelector('[role=log]')
}

function CopyMenu() {
  const { log, clock } = useSystem()
  const client = useClient()
  const text = useLogText()
  const { copy, outcome } = useCopy()
  const countText = (): string => plural(selectShown(log.getSnapshot()).count, { one: '# line', other: '# lines' })
  const entries = (): readonly MenuEntry[] => [
    {
      id: 'selected',
      label: t`Copy the selection`,
      icon: 'copy',
      blockedBecause: text.selected(findList()) === undefined ? t`Nothing is selected.` : undefined,
    },
    { id: 'all', label: t`Copy ${countText()}`, icon: 'copy' },
    { id: 'save', label: t`Download ${countText()}`, icon: 'arrow-down' },
  ]
  const choose = (id: string): void => {
    if (id === 'selected') copy(t`The selection`, text.selected(findList()) ?? '')
    else if (id === 'all') copy(countText(), text.all())
    else
      downloadFile(
        new Blob([text.all()], { type: 'text/plain' }),
        fileName(selectName(client.getSnapshot()), selectNow(clock.getSnapshot())),
      )
  }
  return (
    <>
      <MenuButton label={t`Copy or download`} icon="copy" entries={entries} onChoose={choose} />
      <span role="status" className="visually-hidden">
        {outcome}
      </span>
    </>
  )
}

function fileName(client: string, now: number): string {
  return `log ${client} ${formatIso(now)}.txt`.replaceAll(/[^\w.-]+/g, '-')
}

export function LogMenus() {
  return (
    <>
      <ViewMenu />
      <CopyMenu />
    </>
  )
}
