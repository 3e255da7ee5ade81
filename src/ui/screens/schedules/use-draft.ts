import { t } from '@lingui/core/macro'
import { selectDraft } from '../../../machines/server/schedule-editor/schedule-editor.selectors.ts'
import { whyNoControl } from '../../../machines/server/session/session.selectors.ts'
import { useServer } from '../../hooks/server-context.ts'
import { useSelector } from '../../hooks/use-selector.ts'

/** Why schedules cannot be changed, apart from the one with this id; undefined when they can. */
export function useWhyNoDraft(id?: string): string | undefined {
  const { session, editor } = useServer()
  const blocked = useSelector(session, whyNoControl)
  const draft = useSelector(editor, selectDraft)
  return blocked ?? (draft === undefined || draft.id === id ? undefined : t`Not saved: ${draft.name}.`)
}
