import { allowedImage } from '../../../folding/shared/web-address.ts'
import { usePictureOrigins } from '../../hooks/system-context.ts'
import { classNames } from '../../parts/class-names.ts'
import { Icon } from '../../parts/icons/icon.tsx'
import { feedPicture } from '../feed.tsx'
import styles from './projects-screen.module.css'

/** The picture that the project's manager chose. */
export const ProjectPicture = ({ thumb }: { readonly thumb: string | undefined }) => {
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
