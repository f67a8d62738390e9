import { MintmarkError } from '../../../errors.ts'

/** No worker could be started: the machine's fault, not the image's. */
export class PreviewWorkerError extends MintmarkError {
  readonly code = 'PREVIEW_WORKER'
  override readonly retryable = true
}

/** The previewer was closed; the image was not looked at. */
export class PreviewerClosedError extends MintmarkError {
  readonly code = 'PREVIEWER_CLOSED'
  override readonly retryable = true
}
