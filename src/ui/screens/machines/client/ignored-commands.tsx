import { t } from '@lingui/core/macro'
import { useSelector } from '../../../hooks/use-selector.ts'
import { selectIgnored, selectInfo } from '../../../../machines/connection/client/client.selectors.ts'
import { groupTitleOf } from '../../../../folding/client/group.ts'
import type { ClientInfo } from '../../../../protocol/client/client-data.ts'
import type { Command } from '../../../../protocol/client/commands.ts'
import { Button } from '../../../parts/actions/button.tsx'
import { focusContentSoon } from '../../../parts/focus-content.ts'
import { Banner } from '../../../parts/feedback/banner.tsx'
import { useClient } from '../../../hooks/client-context.ts'
import styles from './ignored-commands.module.css'

const clientLabels = { fold: t`Fold`, pause: t`Pause`, finish: t`Finish` } as const

const groupLabels = {
  fold: (group: string) => t`Fold ${group}`,
  pause: (group: string) => t`Pause ${group}`,
  finish: (group: string) => t`Finish ${group}`,
} as const

function labelOf(command: Command, info: ClientInfo | undefined): string {
  if (command.cmd === 'state') {
    return command.group === undefined
      ? clientLabels[command.state]
      : groupLabels[command.state](groupTitleOf(info, command.group))
  }
  return command.cmd === 'dump' ? t`Dump` : command.cmd
}

/** Commands without effect, or of which no effect was seen, each with the likely reason, until they are dismissed. */
export function IgnoredCommands() {
  const client = useClient()
  const commands = useSelector(client, selectIgnored)
  const info = selectInfo(client.getSnapshot())
  return commands.map(({ key, command, reason, isUnknown }) => (
    <div key={key} className={styles['ignored']}>
      <Banner
        tone="warning"
        isUrgent
        help="/help/when-something-is-wrong#a-command-was-ignored"
        icon="warning"
        actions={
          <Button
            isSmall
            onPress={() => {
              client.send({ type: 'client.dismiss', key })
              focusContentSoon()
            }}
          >
            {t`Dismiss`}
          </Button>
        }
      >
        <strong>
          {isUnknown === true
            ? t`‘${labelOf(command, info)}’ was not confirmed.`
            : t`‘${labelOf(command, info)}’ was ignored.`}
        </strong>{' '}
        {reason}
      </Banner>
    </div>
  ))
}
