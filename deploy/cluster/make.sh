#!/bin/sh
# Creates the files for every machine in the cluster from cluster.env (docs/operations.md#a-cluster):
#
#   sh deploy/cluster/make.sh cluster.env machines
#
# Then copy machines/db1, db2, db3, app1, app2 and monitor to /etc/svc-login on the machines with these names. The first
# run creates the passwords and the two certificate authorities in machines/secret, and later runs reuse them. Keep that
# folder secret: anyone who can read it controls the cluster.
set -eu
umask 077

here=$(dirname "$0")
settings=${1:?the settings, a copy of cluster.env}
out=${2:?the folder to make}
# Paths on a machine. @NAME@ is replaced with the machine's name.
: "${FOLDER:=/etc/svc-login}" "${RUN:=/var/run/postgresql}" "${ETCD_DATA:=/var/lib/etcd/svc-login}"
: "${DATABASE_DATA:=/var/lib/postgresql/svc-login}" "${DATABASE_PROGRAMS:=/usr/lib/postgresql/17/bin}"
: "${SYNCHRONOUS_MODE:=quorum}"
pgbackrest="pgbackrest --config=$FOLDER/pgbackrest.conf --stanza=svc-login"
: "${ARCHIVE_COMMAND:=$pgbackrest archive-push %p}" "${RESTORE_COMMAND:=$pgbackrest archive-get %f %p}"
# shellcheck disable=SC1090
. "$(cd "$(dirname "$settings")" && pwd)/$(basename "$settings")"

mkdir -p "$out/secret"

# secret NAME: prints the password with that name. Creates it the first time.
secret() {
  [ -s "$out/secret/$1" ] || openssl rand -hex 24 > "$out/secret/$1"
  cat "$out/secret/$1"
}

# authority NAME SUBJECT: creates a certificate authority, unless it already exists.
authority() {
  [ -s "$out/secret/$1.crt" ] ||
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -sha256 -days 3650 -subj "/CN=$2" \
      -keyout "$out/secret/$1.key" -out "$out/secret/$1.crt" 2> "$out/secret/openssl.log"
}

authority ca "svc-login cluster"
# Anyone with a certificate from this authority can choose the primary, so only the database machines get one.
authority etcd-ca "svc-login etcd"

# certificate MACHINE ADDRESS AUTHORITY NAME: creates a certificate in the machine's folder. It is valid for the
# machine's name, its address, and localhost, because the application reaches the primary through the local HAProxy.
# Renews the certificate if it has less than a year left or the address has changed.
certificate() {
  folder="$out/$1/tls" ca="$out/secret/$3" file="$out/$1/tls/$4"
  mkdir -p "$folder"
  cp "$ca.crt" "$folder/$3.crt"
  chmod 644 "$folder/$3.crt"
  case $2 in
    *[!0-9.]*) names="DNS:$1,DNS:$2,DNS:localhost,IP:127.0.0.1" ;;
    *) names="DNS:$1,IP:$2,DNS:localhost,IP:127.0.0.1" ;;
  esac
  if [ "$(openssl x509 -in "$file.crt" -noout -ext subjectAltName 2> /dev/null | tail -1 |
    sed -e 's/IP Address:/IP:/g' -e 's/ //g')" = "$names" ] &&
    openssl x509 -in "$file.crt" -noout -checkend 31536000 > /dev/null; then return; fi
  openssl req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -sha256 -subj "/CN=$1" -keyout "$file.key" -out "$file.csr" \
    2>> "$out/secret/openssl.log"
  printf 'subjectAltName=%s\nextendedKeyUsage=serverAuth,clientAuth\n' "$names" > "$folder/extensions"
  openssl x509 -req -in "$file.csr" -CA "$ca.crt" -CAkey "$ca.key" -CAcreateserial -sha256 -days 1825 \
    -extfile "$folder/extensions" -out "$file.crt" 2>> "$out/secret/openssl.log"
  rm "$file.csr" "$folder/extensions"
}

repository() {
  if [ -z "${S3_BUCKET:-}" ]; then
    echo "repo1-path=/var/lib/pgbackrest"
    return
  fi
  printf 'repo1-type=s3\\nrepo1-path=/svc-login\\nrepo1-s3-endpoint=%s\\nrepo1-s3-bucket=%s\\nrepo1-s3-region=%s\\n' \
    "$S3_ENDPOINT" "$S3_BUCKET" "$S3_REGION"
  printf 'repo1-s3-key=%s\\nrepo1-s3-key-secret=%s\n' "$S3_KEY" "$S3_SECRET"
}

# machine NAME ADDRESS FILE…: creates a machine's certificate, and copies these files with their @WORDS@ filled in.
machine() {
  name=$1 address=$2
  shift 2
  certificate "$name" "$address" ca machine
  for file; do
    sed -e "s|@REPOSITORY@|$(repository)|" \
      -e "s|@ARCHIVE_COMMAND@|$ARCHIVE_COMMAND|" -e "s|@RESTORE_COMMAND@|$RESTORE_COMMAND|" \
      -e "s|@FOLDER@|$FOLDER|g" -e "s|@RUN@|$RUN|g" -e "s|@ETCD_DATA@|$ETCD_DATA|" \
      -e "s|@DATABASE_DATA@|$DATABASE_DATA|g" -e "s|@DATABASE_PROGRAMS@|$DATABASE_PROGRAMS|g" \
      -e "s|@SYNCHRONOUS_MODE@|$SYNCHRONOUS_MODE|" \
      -e "s|@APP_URL@|$APP_URL|g" -e "s|@NAME@|$name|g" -e "s|@ADDRESS@|$address|g" \
      -e "s|@DB1@|$DB1|g" -e "s|@DB2@|$DB2|g" -e "s|@DB3@|$DB3|g" -e "s|@APP1@|$APP1|g" -e "s|@APP2@|$APP2|g" \
      -e "s|@PATRONI_PASSWORD@|$(secret patroni)|g" -e "s|@SUPERUSER_PASSWORD@|$(secret superuser)|g" \
      -e "s|@REPLICATION_PASSWORD@|$(secret replication)|g" -e "s|@DATABASE_PASSWORD@|$(secret database)|g" \
      -e "s|@BACKUP_PASSWORD@|$(secret backup)|g" -e "s|@NEXTAUTH_SECRET@|$(secret nextauth)|g" \
      -e "s|@METRICS_TOKEN@|$(secret metrics)|g" "$here/$file" > "$out/$name/$file"
  done
}

certificate db1 "$DB1" etcd-ca etcd
certificate db2 "$DB2" etcd-ca etcd
certificate db3 "$DB3" etcd-ca etcd
machine db1 "$DB1" etcd.yml patroni.yml create-database.sh pgbackrest.conf
machine db2 "$DB2" etcd.yml patroni.yml create-database.sh pgbackrest.conf
machine db3 "$DB3" etcd.yml patroni.yml create-database.sh pgbackrest.conf
chmod +x "$out"/db?/create-database.sh
machine app1 "$APP1" haproxy.cfg pgbouncer.ini userlist.txt app.env
machine app2 "$APP2" haproxy.cfg pgbouncer.ini userlist.txt app.env
# For tests only. Replace this file with the site's own certificate and key.
for app in app1 app2; do
  [ -s "$out/$app/site.pem" ] || cat "$out/$app/tls/machine.crt" "$out/$app/tls/machine.key" > "$out/$app/site.pem"
done
machine monitor "$MONITOR" prometheus.yml alerts.yml
secret metrics > "$out/monitor/metrics-token"
