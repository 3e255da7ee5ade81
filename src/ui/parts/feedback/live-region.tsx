type Props = {
  /** What has just come of something; empty when there is nothing to say. */
  readonly message: string
}

/** Speaks results to those who listen to the page. It is always there, since a region that comes with its words is not read. */
export const LiveRegion = ({ message }: Props) => (
  <div role="status" aria-live="polite" aria-atomic="true" className="visually-hidden">
    {message}
  </div>
)
