{{- define "mintmark.name" -}}
{{- if contains .Chart.Name .Release.Name }}{{ .Release.Name | trunc 40 | trimSuffix "-" }}{{ else }}{{ printf "%s-%s" .Release.Name .Chart.Name | trunc 40 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- define "mintmark.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "mintmark.labels" -}}
{{ include "mintmark.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{- define "mintmark.secret" -}}
{{- .Values.existingSecret | default (include "mintmark.name" .) }}
{{- end }}

{{- define "mintmark.image" -}}
{{- if .Values.image.digest }}{{ .Values.image.repository }}@{{ .Values.image.digest }}{{ else }}{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}{{ end }}
{{- end }}

{{- define "mintmark.check" -}}
{{- if and (not .Values.existingSecret) (not .Values.apiKey) }}{{ fail "apiKey is empty: set it to a long random text, such as `openssl rand -hex 24` gives, or name a Secret with existingSecret" }}{{ end }}
{{- if and (eq .Values.mode "roles") (not .Values.existingSecret) (not .Values.databaseUrl) }}{{ fail "mode roles needs databaseUrl, or a Secret with the key databaseUrl named by existingSecret" }}{{ end }}
{{- end }}

{{/* The pod of a role; takes the root and the role. */}}
{{- define "mintmark.pod" -}}
{{- $root := .root -}}
{{- $role := .role -}}
metadata:
  labels:
    {{- include "mintmark.selector" $root | nindent 4 }}
    app.kubernetes.io/component: {{ $role }}
    {{- with $root.Values.podLabels }}{{ toYaml . | nindent 4 }}{{ end }}
  annotations:
    checksum/config: {{ $root.Values.config | toJson | sha256sum }}
    checksum/secret: {{ printf "%s %s" $root.Values.apiKey $root.Values.databaseUrl | sha256sum }}
    {{- with $root.Values.podAnnotations }}{{ toYaml . | nindent 4 }}{{ end }}
spec:
  automountServiceAccountToken: false
  enableServiceLinks: false
  # The process itself ends within 10 s.
  terminationGracePeriodSeconds: 15
  securityContext:
    runAsNonRoot: true
    runAsUser: 1000
    runAsGroup: 1000
    fsGroup: 1000
    fsGroupChangePolicy: OnRootMismatch
    seccompProfile: { type: RuntimeDefault }
  {{- with $root.Values.imagePullSecrets }}
  imagePullSecrets: {{ toYaml . | nindent 4 }}
  {{- end }}
  containers:
    - name: mintmark
      image: {{ include "mintmark.image" $root | quote }}
      imagePullPolicy: {{ $root.Values.image.pullPolicy }}
      args: [start, --config, /config/mintmark.config.json, --data, /data, --role, {{ $role | quote }}]
      env:
        - { name: MINTMARK_HOST, value: "0.0.0.0" }
        - { name: MINTMARK_PORT, value: "8080" }
        - name: MINTMARK_API_KEY
          valueFrom: { secretKeyRef: { name: {{ include "mintmark.secret" $root }}, key: apiKey } }
        - name: MINTMARK_DATABASE_URL
          valueFrom: { secretKeyRef: { name: {{ include "mintmark.secret" $root }}, key: databaseUrl, optional: {{ ne $role "all" | ternary "false" "true" }} } }
      ports:
        - { name: http, containerPort: 8080 }
      startupProbe:
        httpGet: { path: /health, port: http }
        periodSeconds: 5
        failureThreshold: 60
      livenessProbe:
        httpGet: { path: /health, port: http }
        periodSeconds: 10
        timeoutSeconds: 5
        failureThreshold: 6
      readinessProbe:
        httpGet: { path: /ready, port: http }
        periodSeconds: 5
        timeoutSeconds: 5
      securityContext:
        allowPrivilegeEscalation: false
        readOnlyRootFilesystem: true
        capabilities: { drop: [ALL] }
      resources: {{ toYaml (index $root.Values.resources (eq $role "all" | ternary "single" $role)) | nindent 8 }}
      volumeMounts:
        - { name: config, mountPath: /config, readOnly: true }
        - { name: data, mountPath: /data }
        - { name: tmp, mountPath: /tmp }
  volumes:
    - name: config
      secret: { secretName: {{ include "mintmark.name" $root }}-config }
    - name: tmp
      emptyDir: { sizeLimit: 1Gi }
    {{- if ne $role "all" }}
    - name: data
      emptyDir: { sizeLimit: {{ $root.Values.persistence.scratchSize }} }
    {{- end }}
  {{- with $root.Values.nodeSelector }}
  nodeSelector: {{ toYaml . | nindent 4 }}
  {{- end }}
  {{- with $root.Values.tolerations }}
  tolerations: {{ toYaml . | nindent 4 }}
  {{- end }}
  {{- with $root.Values.affinity }}
  affinity: {{ toYaml . | nindent 4 }}
  {{- end }}
  {{- with $root.Values.topologySpreadConstraints }}
  topologySpreadConstraints: {{ toYaml . | nindent 4 }}
  {{- end }}
{{- end }}
