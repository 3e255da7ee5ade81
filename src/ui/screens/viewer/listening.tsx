import { t } from '@lingui/core/macro'
import { useSelector } from '@xstate/react'
import {
  hasSavingFailed,
  isSaving,
  selectFrameWords,
  selectMotionWords,
  selectStyleWords,
  type selectFrame,
} from '../../../machines/screens/viewer/viewer.selectors.ts'
import { useSystem } from '../../hooks/system-context.ts'

const selectFileWords = (snapshot: Parameters<typeof selectFrame>[0]): string => {
  if (hasSavingFailed(snapshot)) return t`The file could not be saved.`
  return isSaving(snapshot) ? t`Creating the file…` : ''
}

/** For those who listen: frame, style and playback. Only what changed is read. */
export const Listening = () => {
  const { viewer } = useSystem()
  const frame = useSelector(viewer, selectFrameWords)
  const style = useSelector(viewer, selectStyleWords)
  const motion = useSelector(viewer, selectMotionWords)
  const file = useSelector(viewer, selectFileWords)
  return (
    <div role="status" aria-atomic="false" className="visually-hidden">
      {[frame, style, motion, file].map((words, place) => (
        <p key={place}>{words}</p>
      ))}
    </div>
  )
}
