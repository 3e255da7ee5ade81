import { t } from '@lingui/core/macro'
import { useState } from 'react'
import { IconButton } from '../parts/actions/button.tsx'
import { lazyDialog } from '../parts/feedback/lazy-component.tsx'
import type { MilestoneProps } from './milestone-dialog.tsx'

const MilestoneDialog = lazyDialog(() => import('./milestone-dialog.tsx').then(m => m.MilestoneDialog), t`The dialog`)

/** Shows a milestone as a picture to save or share. */
export function MilestoneButton(milestone: MilestoneProps) {
  const [isOpen, setOpen] = useState(false)
  const { title } = milestone
  const close = (): void => setOpen(false)
  return (
    <>
      <IconButton icon="picture" isSmall label={t`${title} as a picture`} onPress={() => setOpen(true)} />
      {isOpen ? <MilestoneDialog {...milestone} onLeave={close} onUnavailable={close} /> : undefined}
    </>
  )
}
