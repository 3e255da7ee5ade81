import { t } from '@lingui/core/macro'
import { useSelector } from '../../hooks/use-selector.ts'
import type { AccountDraftRef } from '../../../machines/account/settings/settings.machine.ts'
import { selectConflicts } from '../../../machines/shared/draft/draft.selectors.ts'
import { Button } from '../../parts/actions/button.tsx'
import { Banner } from '../../parts/feedback/banner.tsx'
import { formatList } from '../../../folding/text/format.ts'

/** What the fields are called on the page, by their keys. */
const labels: Readonly<Record<string, string>> = {
  user: t`User name`,
  team: t`Team`,
  passkey: t`Passkey`,
  cause: t`Cause`,
  node: t`Node`,
  avatar: t`Avatar`,
  dark: t`Dark mode`,
  compact: t`Compact`,
  wide: t`Wide display`,
  hide_empty_groups: t`Hide empty resource groups`,
  columns: t`Enabled columns`,
}

function labelOf(path: readonly string[]): string {
  const key = path.at(-1) ?? ''
  return (Object.hasOwn(labels, key) ? labels[key] : undefined) ?? key
}

/** Lets the user resolve edits that conflict with changes saved elsewhere. */
export function Conflicts({ draft }: { readonly draft: AccountDraftRef }) {
  const conflicts = useSelector(draft, selectConflicts)
  if (conflicts.length === 0) return null
  const names = formatList(conflicts.map(labelOf))
  const decide = (side: 'mine' | 'theirs'): void =>
    conflicts.forEach(path => draft.send({ type: 'draft.resolveConflict', path, side }))
  return (
    <Banner
      tone="warning"
      icon="warning"
      actions={
        <>
          <Button isSmall onPress={() => decide('mine')}>
            {t`Keep mine`}
          </Button>
          <Button isSmall onPress={() => decide('theirs')}>
            {t`Discard mine`}
          </Button>
        </>
      }
    >
      {t`Changed elsewhere since you opened this page: ${names}. Which version do you want to save?`}
    </Banner>
  )
}
