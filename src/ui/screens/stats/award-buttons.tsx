import { t } from '@lingui/core/macro'
import { useSelector } from '@xstate/react'
import { awardAddress, type AwardKind } from '../../../folding/account/standings.ts'
import { selectAwardsUrl } from '../../../machines/app/app/app.selectors.ts'
import { Button } from '../../parts/actions/button.tsx'
import { useSystem } from '../../hooks/system-context.ts'

type Props = { readonly holder: string; readonly user?: string; readonly team: number }

const kinds: readonly { readonly kind: AwardKind; readonly words: string }[] = [
  { kind: 'wus', words: t`WU award` },
  { kind: 'score', words: t`Points award` },
]

/** The two awards of a donor or a team, each a picture in a dialog. */
export const AwardButtons = ({ holder, user, team }: Props) => {
  const { app, dialogs } = useSystem()
  const base = useSelector(app, selectAwardsUrl)
  return kinds.map(({ kind, words }) => {
    const address = awardAddress(base, { user, team, kind })
    return (
      <Button
        key={kind}
        icon="award"
        blockedBecause={address === undefined ? t`There is no server for pictures of awards.` : undefined}
        onPress={() => {
          if (address !== undefined)
            dialogs.send({
              type: 'dialogs.ask',
              dialog: { kind: 'award', id: `award:${address}`, title: `${words} of ${holder}`, address },
            })
        }}
      >
        {words}
      </Button>
    )
  })
}
