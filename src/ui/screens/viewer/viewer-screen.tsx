import { t } from '@lingui/core/macro'
import { useSelector } from '../../hooks/use-selector.ts'
import { useDeferredValue, useEffect } from 'react'
import { useLocation, useNavigate, useParams } from 'react-router-dom'
import { conditionText, type MoleculeCondition } from '../../../folding/molecule/molecule-condition.ts'
import { selectName } from '../../../machines/connection/client/client.selectors.ts'
import { Button } from '../../parts/actions/button.tsx'
import { EmptyState } from '../../parts/display/empty-state.tsx'
import { Skeleton } from '../../parts/display/skeleton.tsx'
import { useSystem } from '../../hooks/system-context.ts'
import { useMedia } from '../../hooks/use-media.ts'
import { ClientProvider } from '../machine/machine-page.tsx'
import { useClient, useClientSelector } from '../../hooks/client-context.ts'
import { WhenLoaded } from '../when-loaded.tsx'
import { Page } from '../page.tsx'
import { MoleculeView } from './molecule-view.tsx'
import { useMoleculeCondition } from './molecule-facts.ts'
import { linkedView } from './view-link.ts'

/** Goes back in the history, or to the clients when the page was opened at this address. */
function Close() {
  const { key } = useLocation()
  const navigate = useNavigate()
  return <Button onPress={() => void (key === 'default' ? navigate('/machines') : navigate(-1))}>{t`Close`}</Button>
}

function NoMolecule({ condition }: { readonly condition: Exclude<MoleculeCondition, 'shown'> }) {
  const refused = useSelector(useSystem().viewer, snapshot => snapshot.context.structure.refused)
  const { title, text } = conditionText(condition, refused)
  return condition === 'restoring' || condition === 'requested' ? (
    <Skeleton label={title} rows={6} />
  ) : (
    <EmptyState icon="molecule" title={title}>
      <p>{text}</p>
    </EmptyState>
  )
}

function UnitView({ unit }: { readonly unit: string }) {
  const { viewer } = useSystem()
  const client = useClient()
  // What is shown then is much: it is rendered in pauses.
  const condition = useDeferredValue(useMoleculeCondition(unit))
  const isStill = useMedia('(prefers-reduced-motion: reduce)')
  useEffect(() => viewer.send({ type: 'viewer.setReducedMotion', isStill }), [viewer, isStill])
  useEffect(() => {
    viewer.send({ type: 'viewer.open', client: client.id, unit })
    const { style, coloring, residue, hasGhost } = linkedView(location.search)
    if (style !== undefined) viewer.send({ type: 'viewer.setStyle', style })
    if (coloring !== undefined) viewer.send({ type: 'viewer.setColoring', coloring })
    if (hasGhost) viewer.send({ type: 'viewer.toggle', option: 'hasGhost' })
    viewer.send({ type: 'viewer.focus', residue })
    return () => viewer.send({ type: 'viewer.close' })
  }, [viewer, client, unit])
  return condition === 'shown' ? <MoleculeView unit={unit} /> : <NoMolecule condition={condition} />
}

function NamedView() {
  const { unitID = '' } = useParams()
  const name = useClientSelector(selectName)
  return (
    <Page title={t`3D view`} subject={name} subtitle={<bdi>{name}</bdi>} actions={<Close />} fillsHeight>
      <WhenLoaded part="viewer" what={t`The 3D view`}>
        <UnitView unit={unitID} />
      </WhenLoaded>
    </Page>
  )
}

export function ViewerScreen() {
  return (
    <ClientProvider title={t`3D view`}>
      <NamedView />
    </ClientProvider>
  )
}
