import { t } from '@lingui/core/macro'
import { useSelector } from '../../hooks/use-selector.ts'
import type { ViewerSnapshot } from '../../../machines/screens/viewer/viewer.machine.ts'
import {
  selectFrameText,
  selectMotionText,
  selectStyleText,
} from '../../../machines/screens/viewer/viewer.selectors.ts'
import { useSystem } from '../../hooks/system-context.ts'

function selectFileText(snapshot: ViewerSnapshot): string {
  if (snapshot.hasTag('saveFailed')) return t`The file could not be saved.`
  return snapshot.hasTag('saving') ? t`Creating the file…` : ''
}

/** Announces frame, style, playback and files to screen readers. Only changed texts are announced. */
export function Announcements() {
  const { viewer } = useSystem()
  const frame = useSelector(viewer, selectFrameText)
  const style = useSelector(viewer, selectStyleText)
  const motion = useSelector(viewer, selectMotionText)
  const file = useSelector(viewer, selectFileText)
  return (
    <div role="status" aria-atomic="false" className="visually-hidden">
      {[frame, style, motion, file].map((words, place) => (
        <p key={place}>{words}</p>
      ))}
    </div>
  )
}
