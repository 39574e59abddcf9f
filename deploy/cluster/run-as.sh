#!/bin/sh
# run-as USER COMMAND…: in a container, copies the machine's files for the user, and runs the command as this
# user.
set -eu
user=$1
shift
mkdir -p /etc/svc-login
cp -R /machine/. /etc/svc-login/
chown -R "$user" /etc/svc-login
for folder in /var/lib/postgresql /var/lib/etcd /var/lib/pgbackrest /var/spool/pgbackrest /var/run/postgresql /prometheus; do
  if [ -d "$folder" ]; then chown "$user" "$folder"; fi
done
exec setpriv --reuid="$user" --regid="$(id -g "$user")" --init-groups -- "$@"
