import { foundation } from './0001_foundation.ts'
import { metadata } from './0002_metadata.ts'
import { coins } from './0003_coins.ts'
import { streams } from './0004_streams.ts'
import { deliveries } from './0005_deliveries.ts'
import { metadataBounds } from './0006_metadata_bounds.ts'
import { listedBefore } from './0007_listed_before.ts'
import { coinRecords } from './0008_coin_records.ts'
import { logWidths } from './0009_log_widths.ts'
import { transferForms } from './0010_transfer_forms.ts'
import { identity } from './0011_identity.ts'
import { previewTurns } from './0012_preview_turns.ts'
import { readyTexts } from './0013_ready_texts.ts'
import { heldBefore } from './0014_held_before.ts'
import { following } from './0015_following.ts'
import { deliveryWaits } from './0016_delivery_waits.ts'
import { streamRetries } from './0017_stream_retries.ts'
import { pausedPlaces } from './0018_paused_places.ts'
import { historyLists } from './0019_history_lists.ts'
import { webhookHeaders } from './0020_webhook_headers.ts'
import { deliveryModes } from './0021_delivery_modes.ts'
import { retention } from './0022_retention.ts'
import { webhookParts } from './0023_webhook_parts.ts'
import { probes } from './0024_probes.ts'
import { streamAdditions } from './0025_stream_additions.ts'
import { watchedSpans } from './0026_watched_spans.ts'
import { toldHistory } from './0027_told_history.ts'
import { endpointSecrets } from './0028_endpoint_secrets.ts'
import { networkHeads } from './0029_network_heads.ts'
import { mediaByHash } from './0030_media_by_hash.ts'
import { webhookRoom } from './0031_webhook_room.ts'
import { metadataAsked } from './0032_metadata_asked.ts'
import { documents } from './0033_documents.ts'
import { metadataPauses } from './0034_metadata_pauses.ts'
import { chainNames } from './0035_chain_names.ts'
import { operators } from './0036_operators.ts'
import { adminLookups } from './0037_admin_lookups.ts'
import { processes } from './0038_processes.ts'
import type { Migration } from './migration.ts'

/** In the order of their ids. */
export const migrations: readonly Migration[] = [
  foundation,
  metadata,
  coins,
  streams,
  deliveries,
  metadataBounds,
  listedBefore,
  coinRecords,
  logWidths,
  transferForms,
  identity,
  previewTurns,
  readyTexts,
  heldBefore,
  following,
  deliveryWaits,
  streamRetries,
  pausedPlaces,
  historyLists,
  webhookHeaders,
  deliveryModes,
  retention,
  webhookParts,
  probes,
  streamAdditions,
  watchedSpans,
  toldHistory,
  endpointSecrets,
  networkHeads,
  mediaByHash,
  webhookRoom,
  metadataAsked,
  documents,
  metadataPauses,
  chainNames,
  operators,
  adminLookups,
  processes,
]
