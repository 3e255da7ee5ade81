import { t } from '@lingui/core/macro'
import { useSelector } from '../hooks/use-selector.ts'
import { selectUnsaved } from '../../machines/app/updates/updates.selectors.ts'
import { Button } from '../parts/actions/button.tsx'
import { Banner } from '../parts/feedback/banner.tsx'
import { useSystem } from '../hooks/system-context.ts'
import { formatList } from '../../folding/text/format.ts'

/** Offers a new version of this page. Names what has to be saved first. */
export function UpdateNotice() {
  const { updates } = useSystem()
  const unsaved = useSelector(updates, selectUnsaved)
  const isTaken = useSelector(updates, snapshot => snapshot.hasTag('reloading'))
  const names = formatList(unsaved)
  return (
    <Banner
      tone={unsaved.length > 0 ? 'warning' : 'done'}
      icon={unsaved.length > 0 ? 'warning' : 'download'}
      actions={
        <>
          <Button isSmall kind="primary" onPress={() => updates.send({ type: 'updates.take' })}>
            {t`Use the new version`}
          </Button>
          <Button isSmall onPress={() => updates.send({ type: 'updates.postpone' })}>
            {t`Later`}
          </Button>
        </>
      }
    >
      {isTaken
        ? t`Reloading the page…`
        : unsaved.length > 0
          ? t`Reloading would lose unsaved changes: ${names}. Save or discard them first, then use the new version.`
          : t`A new version of Foldboard is ready. Using it reloads the page; your machines keep folding.`}
    </Banner>
  )
}
