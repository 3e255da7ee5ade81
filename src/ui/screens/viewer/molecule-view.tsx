import { t } from '@lingui/core/macro'
import { useSelector } from '@xstate/react'
import { useCallback, useEffect, useRef, useState } from 'react'
import { formatCount } from '../../../folding/shared/format.ts'
import { styleName } from '../../../folding/molecule/molecule-style.ts'
import { isDragging, isFullScreen, selectDrawStyle } from '../../../machines/screens/viewer/viewer.selectors.ts'
import { classNames } from '../../parts/class-names.ts'
import { usePlayer } from '../../journal/journal-context.ts'
import { Banner } from '../../parts/feedback/banner.tsx'
import { useSystem } from '../../hooks/system-context.ts'
import { useTheme } from '../../hooks/use-theme.ts'
import { AtomCard } from './atom-card.tsx'
import { Controls } from './controls.tsx'
import { COVERS } from './covered.ts'
import { Legend } from './legend.tsx'
import { Listening } from './listening.tsx'
import { useMoleculeNotes, useTopology, useUnitName } from './molecule-facts.ts'
import styles from './molecule-view.module.css'
import { NoGraphics } from './no-graphics.tsx'
import { ScaleBar } from './scale-bar.tsx'
import { mountStage, type Stage } from './stage.ts'
import { useFullScreen } from './use-full-screen.ts'
import { useViewerKeys } from './use-viewer-keys.ts'

/** `missing`: there is no WebGL. */
type Mounted = Stage | 'missing' | undefined

/** The picture's canvas is made in the place that this is attached to. */
const useStage = () => {
  const { viewer } = useSystem()
  const theme = useTheme()
  const isLive = usePlayer() === undefined
  const [mounted, setMounted] = useState<Mounted>()
  const first = useRef(theme)
  const attach = useCallback(
    (host: HTMLElement | null) => {
      if (host === null) return
      const stage = mountStage(host, viewer, first.current)
      setMounted(stage ?? 'missing')
      return () => {
        stage?.dispose()
      }
    },
    [viewer],
  )
  useEffect(() => {
    if (mounted === 'missing') viewer.send({ type: 'viewer.lackGraphics' })
    else mounted?.setTheme(theme)
  }, [viewer, mounted, theme])
  useEffect(() => {
    if (mounted !== 'missing') mounted?.setLive(isLive)
  }, [mounted, isLive])
  return { attach, mounted }
}

/** A molecule and everything that can be done with it. */
export const MoleculeView = ({ unit }: { readonly unit: string }) => {
  const { viewer } = useSystem()
  const { attach, mounted } = useStage()
  const isFull = useSelector(viewer, isFullScreen)
  const isHeld = useSelector(viewer, isDragging)
  const style = useSelector(viewer, selectDrawStyle)
  const topology = useTopology()
  const notes = useMoleculeNotes(unit)
  const { project, file } = useUnitName(unit)
  const stage = mounted === 'missing' ? undefined : mounted
  useFullScreen(isFull)
  useViewerKeys(stage)
  if (mounted === 'missing') return <NoGraphics />
  const atoms = formatCount(topology?.names.length, 'atom')
  return (
    <div className={classNames(styles['frame'], isFull && styles['full'])}>
      <div className={styles['picture']}>
        <div
          ref={attach}
          role="img"
          tabIndex={0}
          aria-label={t`Molecule of project ${project}: ${atoms}, ${styleName(style)}`}
          className={classNames(styles['canvas'], isHeld && styles['held'])}
        />
        <div className={styles['words']}>
          <p className={styles['caption']} {...COVERS}>
            <span className={styles['project']}>{t`Project ${project}`}</span> {atoms}
          </p>
          {notes.map(note => (
            <Banner key={note} tone="warning" icon="warning">
              {note}
            </Banner>
          ))}
          <AtomCard />
          <div className={styles['key']} {...COVERS}>
            <Legend />
            <ScaleBar stage={stage} />
          </div>
        </div>
      </div>
      <Controls stage={stage} file={file} />
      <Listening />
    </div>
  )
}
