"""Which addresses are of the public internet: whatever else a machine can reach is nobody's business to name here."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

Address = IPv4Address | IPv6Address

# By the registries of special-purpose addresses (RFC 6890 and what came after), multicast, and what clouds use.
NOT_PUBLIC_4 = tuple(
    map(
        ip_network,
        (
            "0.0.0.0/8",  # this network, and "unspecified"
            "10.0.0.0/8",
            "100.64.0.0/10",  # behind a carrier's address translation, and one cloud's metadata
            "127.0.0.0/8",
            "168.63.129.16/32",  # a cloud's host, under an address that looks like any other
            "169.254.0.0/16",  # link-local, the metadata of most clouds
            "172.16.0.0/12",
            "192.0.0.0/24",
            "192.0.2.0/24",  # documentation
            "192.31.196.0/24",
            "192.52.193.0/24",
            "192.88.99.0/24",  # relays to IPv6
            "192.168.0.0/16",
            "192.175.48.0/24",
            "198.18.0.0/15",  # benchmarks
            "198.51.100.0/24",  # documentation
            "203.0.113.0/24",  # documentation
            "224.0.0.0/4",  # multicast
            "240.0.0.0/4",  # reserved, and broadcast
        ),
    )
)
PUBLIC_6 = ip_network("2000::/3")  # so no mapped IPv4, no translation, nothing local, no multicast
NOT_PUBLIC_6 = tuple(
    map(
        ip_network,
        (
            "2001::/23",  # protocols, tunnels to IPv4 (Teredo) among them
            "2001:db8::/32",  # documentation
            "2002::/16",  # 6to4, which has an IPv4 address inside
            "2620:4f:8000::/48",
            "3fff::/20",  # documentation
        ),
    )
)


def public(address: Address) -> bool:
    """Whether it is an address of the public internet."""
    if isinstance(address, IPv4Address):
        return not any(address in network for network in NOT_PUBLIC_4)
    known = address.scope_id is None and address in PUBLIC_6
    return known and not any(address in network for network in NOT_PUBLIC_6)


def network(address: Address) -> str:
    """Whose the address is: of IPv6 everybody has a whole network."""
    return str(address if isinstance(address, IPv4Address) else ip_network((int(address), 64), strict=False))


def literal(host: str) -> Address | None:
    """The address that a host of an URL (without brackets) is, written in the one way that everybody reads alike."""
    try:
        return ip_address(host)
    except ValueError:
        return None
