import { t } from '@lingui/core/macro'
import { useEffect, useMemo, useRef, useState } from 'react'
import { downloadFile } from '../../loading/download-file.ts'
import { selectDonorName } from '../../machines/account/donor/donor.selectors.ts'
import { isSimulationShown } from '../../machines/connection/fleet/fleet.selectors.ts'
import { selectStill } from '../../machines/screens/molecules/molecules.selectors.ts'
import { useSystem } from '../hooks/system-context.ts'
import { useSelector } from '../hooks/use-selector.ts'
import { Button } from '../parts/actions/button.tsx'
import { Checkbox } from '../parts/fields/checkbox.tsx'
import { Dialog } from '../parts/overlays/dialog.tsx'
import { stillPictures } from '../screens/molecule/still-pictures.ts'
import { useTheme } from '../screens/viewer/use-theme.ts'
import { WhenLoaded } from '../screens/when-loaded.tsx'
import { alternativeText, drawMilestone, SIZE, type Milestone } from './milestone-picture.ts'
import styles from './milestone-dialog.module.css'

/** Pixels. */
const MOLECULE = { width: 600, height: 600 } as const

export type MilestoneProps = Milestone & {
  /** The unit whose molecule is shown, if this browser has it. */
  readonly subject: { readonly client: string; readonly unit: string } | undefined
}

/** The still picture of a unit's molecule, from what this browser has of it. */
function useMolecule({ client, unit }: { readonly client: string; readonly unit: string }): ImageBitmap | undefined {
  const { molecules } = useSystem()
  const theme = useTheme()
  const [picture, setPicture] = useState<ImageBitmap>()
  const { topology, trajectory } = useSelector(molecules, selectStill({ client, unit }))
  const positions = trajectory.frames[0]
  useEffect(() => {
    molecules.send({ type: 'molecules.want', client, unit })
    return () => molecules.send({ type: 'molecules.leave', client, unit })
  }, [molecules, client, unit])
  useEffect(() => {
    if (topology === undefined || positions === undefined) return undefined
    const { width, height } = MOLECULE
    const wanted = { topology, positions, size: [width, height], theme, name: `${client} ${unit}` } as const
    return stillPictures.draw(wanted, pixels => {
      createImageBitmap(new ImageData(pixels, width, height)).then(setPicture, () => undefined)
    })
  }, [topology, positions, theme, client, unit])
  return picture
}

type PictureProps = { readonly milestone: Milestone; readonly molecule?: ImageBitmap | undefined }

/** The picture as it will be saved, with what saves it. */
function Picture({ milestone, molecule }: PictureProps) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const theme = useTheme()
  const text = alternativeText(milestone)
  useEffect(() => {
    if (canvas.current !== null) drawMilestone(canvas.current, milestone, molecule)
  }, [milestone, molecule, theme])
  const withFile = (use: (file: File) => void) => () =>
    canvas.current?.toBlob(blob => {
      if (blob !== null) use(new File([blob], 'folding.png', { type: 'image/png' }))
    }, 'image/png')
  const share = (file: File): void => {
    const content = { files: [file], text }
    // Refused by the person, or by a browser that shares no files.
    if (navigator.canShare(content)) navigator.share(content).catch(() => undefined)
    else downloadFile(file, file.name)
  }
  return (
    <>
      <canvas ref={canvas} role="img" aria-label={text} {...SIZE} className={styles['picture']} />
      <div className="row gap-2">
        <Button kind="primary" icon="download" onPress={withFile(file => downloadFile(file, file.name))}>
          {t`Save as a picture`}
        </Button>
        {'share' in navigator ? (
          <Button icon="external" onPress={withFile(share)}>
            {t`Share`}
          </Button>
        ) : undefined}
      </div>
    </>
  )
}

function WithMolecule({
  milestone,
  subject,
}: PictureProps & { readonly subject: NonNullable<MilestoneProps['subject']> }) {
  return <Picture milestone={milestone} molecule={useMolecule(subject)} />
}

/** A milestone as a picture. It says whose it is only where that is ticked, and always that it is simulated. */
export function MilestoneDialog({ title, lines, subject, onLeave }: MilestoneProps & { readonly onLeave: () => void }) {
  const { donor: donorRef, fleet } = useSystem()
  const donor = useSelector(donorRef, selectDonorName)
  const isSimulated = useSelector(fleet, isSimulationShown)
  const [saysWho, setSaysWho] = useState(false)
  const milestone = useMemo(
    () => ({
      title,
      lines: [...lines, ...(isSimulated ? [t`Simulation`] : []), ...(saysWho && donor !== undefined ? [donor] : [])],
    }),
    [title, lines, isSimulated, saysWho, donor],
  )
  return (
    <Dialog title={t`Milestone`} onLeave={onLeave} footer={<Button onPress={onLeave}>{t`Close`}</Button>}>
      {subject === undefined ? (
        <Picture milestone={milestone} />
      ) : (
        <WhenLoaded part="viewer" what={t`The 3D view`}>
          <WithMolecule milestone={milestone} subject={subject} />
        </WhenLoaded>
      )}
      {donor === undefined ? undefined : (
        <Checkbox isSelected={saysWho} onChange={setSaysWho}>
          {t`With the name ${donor}`}
        </Checkbox>
      )}
    </Dialog>
  )
}
