import { t } from '@lingui/core/macro'
import { useSelector } from '../../hooks/use-selector.ts'
import { awardUrl, type AwardKind } from '../../../folding/account/standings.ts'
import { Button } from '../../parts/actions/button.tsx'
import { useSystem } from '../../hooks/system-context.ts'

type Props = { readonly holder: string; readonly user?: string; readonly team: number }

type Award = { readonly kind: AwardKind; readonly label: string; readonly title: (holder: string) => string }

const awards: readonly Award[] = [
  { kind: 'wus', label: t`WU award`, title: holder => t`WU award of ${holder}` },
  { kind: 'score', label: t`Points award`, title: holder => t`Points award of ${holder}` },
]

/** Buttons that open the award images of a donor or a team. */
export function AwardButtons({ holder, user, team }: Props) {
  const { app, dialogs } = useSystem()
  const base = useSelector(app, ({ context }) => context.input.awardsUrl)
  return awards.map(({ kind, label, title }) => {
    const address = awardUrl(base, { user, team, kind })
    return (
      <Button
        key={kind}
        icon="award"
        blockedBecause={address === undefined ? t`No server for award images is configured.` : undefined}
        onPress={() => {
          if (address !== undefined)
            dialogs.send({
              type: 'dialogs.ask',
              dialog: { kind: 'award', id: `award:${address}`, title: title(holder), address },
            })
        }}
      >
        {label}
      </Button>
    )
  })
}
