import { allowedImage } from '../../../folding/address/web-address.ts'
import { isActive, projectOf } from '../../../folding/unit/unit-progress.ts'
import type { ClientRef } from '../../../machines/connection/client/client.machine.ts'
import { selectUnits } from '../../../machines/connection/client/client.selectors.ts'
import { selectClientRef } from '../../../machines/connection/fleet/fleet.selectors.ts'
import { usePictureOrigins, useSystem } from '../../hooks/system-context.ts'
import { useSelector } from '../../hooks/use-selector.ts'
import { classNames } from '../../parts/class-names.ts'
import { Icon } from '../../parts/icons/icon.tsx'
import { feedPicture } from '../feed.tsx'
import { MoleculePicture } from '../molecule/molecule-picture.tsx'
import styles from './projects-screen.module.css'

/** The picture that the project's manager chose. */
export function ProjectThumb({ thumb }: { readonly thumb: string | undefined }) {
  const picture = allowedImage(thumb, usePictureOrigins())
  return (
    <div className={classNames(feedPicture, styles['picture'])}>
      {picture === undefined ? (
        <Icon name="projects" />
      ) : (
        <img src={picture} alt="" loading="lazy" referrerPolicy="no-referrer" />
      )}
    </div>
  )
}

/** Clients that are looked at for a molecule. */
const MOST = 6

type Props = {
  readonly project: number
  /** Ids of connections of clients that fold it now. */
  readonly clients: readonly string[]
  readonly thumb: string | undefined
}

function OfClient({ client, project, clients, thumb }: Props & { readonly client: ClientRef }) {
  const [id = '', ...others] = clients
  const isHere = useSelector(client, snapshot => snapshot.hasTag('connected'))
  const unit = useSelector(
    client,
    snapshot => selectUnits(snapshot).find(of => isActive(of) && projectOf(of) === project && (of.frames ?? 0) > 0)?.id,
  )
  return isHere && unit !== undefined ? (
    <MoleculePicture client={id} unit={unit} />
  ) : (
    <ProjectPicture project={project} clients={others} thumb={thumb} />
  )
}

/** The molecule of a unit of the project that a client folds now, if it has frames; else the manager's picture. */
export function ProjectPicture({ project, clients, thumb }: Props) {
  const client = useSelector(useSystem().fleet, selectClientRef(clients[0] ?? ''))
  return client === undefined ? (
    <ProjectThumb thumb={thumb} />
  ) : (
    <OfClient client={client} project={project} clients={clients.slice(0, MOST)} thumb={thumb} />
  )
}
